package io.mutune.trainer.method.descent;

import io.mutune.trainer.method.MethodType;
import java.util.List;

/** The methods of this package: a new one gets its line here. */
public final class DescentMethods {
  /** All of them, in the order in which docs/training-methods.md has them. */
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
