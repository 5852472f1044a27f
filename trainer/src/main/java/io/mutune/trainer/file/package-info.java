/**
 * Files that only their owner may read, scratch files, locks, how a file is told from another, and
 * what is said of one that is not what it should be.
 */
@NullMarked
package io.mutune.trainer.file;

import org.jspecify.annotations.NullMarked;
