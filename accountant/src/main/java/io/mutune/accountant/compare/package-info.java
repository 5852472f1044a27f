/**
 * One question about a list of releases, and every accountant's answer to it; calibration by any.
 */
@NullMarked
package io.mutune.accountant.compare;

import org.jspecify.annotations.NullMarked;
