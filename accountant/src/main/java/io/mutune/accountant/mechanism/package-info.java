/** What can be charged: a sealed set of mechanisms. */
@NullMarked
package io.mutune.accountant.mechanism;

import org.jspecify.annotations.NullMarked;
