package io.mutune.trainer.gradient;

/** Where the blocks of a layout are added up in each step: on threads here, or on a cluster. */
@FunctionalInterface
interface StepSums {
  /**
   * What all blocks add at the weights of the active trials.
   *
   * @param step what each block is asked; it may be overwritten once this returns
   * @return as {@link BlockSums#sums}; overwritten by the next call
   */
  long[] add(Step step);
}
