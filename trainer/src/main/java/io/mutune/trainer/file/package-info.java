/**
 * Files that only their owner may read, scratch files, locks, and how a file is told from another.
 */
@NullMarked
package io.mutune.trainer.file;

import org.jspecify.annotations.NullMarked;
