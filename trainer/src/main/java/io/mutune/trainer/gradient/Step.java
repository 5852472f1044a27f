package io.mutune.trainer.gradient;

import io.mutune.trainer.loss.Loss;
import java.io.Serializable;

/**
 * What each block of rows is asked in one step of some trials.
 *
 * @param classes of the loss
 * @param columns of all active trials together, those that are mirrored counted once
 * @param clips of the active trials, in their order; more may follow
 * @param packed their weights in float32, {@code [columns, width]} from {@code LINE_START} on; more
 *     may follow
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Step(Loss loss, int classes, int columns, ClipNorm[] clips, float[] packed)
    implements Serializable {}
