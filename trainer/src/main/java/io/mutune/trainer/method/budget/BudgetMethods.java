package io.mutune.trainer.method.budget;

import io.mutune.trainer.method.MethodType;
import java.util.List;

/** The methods of this package: a new one gets its line here. */
public final class BudgetMethods {
  /** In the order of the reference. */
  public static final List<MethodType> ALL =
      List.of(
          Ppsgd.TYPE,
          Ppgd.TYPE,
          Agd.TYPE,
          OutputPerturbation.TYPE,
          ObjectivePerturbation.TYPE,
          Pnsgd.TYPE,
          Pate.TYPE);

  private BudgetMethods() {}
}
