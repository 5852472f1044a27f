/** Every training method by its name, with those that need no charge. */
@NullMarked
package io.mutune.trainer.method.catalogue;

import org.jspecify.annotations.NullMarked;
