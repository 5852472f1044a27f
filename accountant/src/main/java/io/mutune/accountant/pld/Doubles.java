package io.mutune.accountant.pld;

/** What doubles round by. */
final class Doubles {
  /** The gap between 1 and the next double; a rounding errs by half of it at most. */
  static final double ULP = 0x1p-52;

  private Doubles() {}
}
