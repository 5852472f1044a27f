/**
 * Adds up sums over private rows on Apache Spark: an optional part, which nobody carries who does
 * not name a cluster.
 */
@NullMarked
package io.mutune.trainer.spark;

import org.jspecify.annotations.NullMarked;
