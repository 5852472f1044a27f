package io.mutune.trainer.method;

import java.util.List;

/** The methods that ask for an answer a step: a new one gets its line here. */
public final class DescentMethods {
  /** In the order of the reference. */
  public static final List<MethodType> ALL =
      List.of(
          NoisyGd.TYPE,
          NoisyGd.FULLY_PRIVATE,
          AdaMix.TYPE,
          DpSgd.TYPE,
          DpAdam.TYPE,
          DpAdamWosm.TYPE,
          SgdAdv.TYPE,
          DpZo.TYPE,
          External.TYPE);

  private DescentMethods() {}
}
