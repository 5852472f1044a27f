package io.mutune.trainer.method;

/** What a method needs of a study. */
public enum Need {
  /** Labelled public rows. */
  PUBLIC_ROWS,
  /** A plan whose every charge is fixed beforehand: there is no μ to filter by otherwise. */
  FIXED_PLAN,
  /** Replace-one neighbours: the guarantee is proved for them alone. */
  REPLACE_ONE,
  /** Rows that keep their places: one that replaces another stands where that one stood. */
  ROWS_IN_PLACE,
  /** A loss whose slope does not jump. */
  SMOOTH_LOSS,
  /** A loss of one logit. */
  ONE_LOGIT,
  /** Private rows that are declared public or simulated: the method protects none. */
  OPEN_ROWS
}
