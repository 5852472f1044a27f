package io.mutune.orchestrator.report;

/** What tells one series from another where there are no colours. */
enum Mark {
  CIRCLE,
  SQUARE,
  TRIANGLE,
  DIAMOND,
  /** The run that everything was for. */
  STAR,
  /** Something that is missing or does not hold. */
  CROSS,
  /** Around points of another series. */
  RING,
  SOLID,
  DASHED,
  DOTTED;

  private static final Mark[] FILLED = {CIRCLE, SQUARE, TRIANGLE, DIAMOND};

  boolean isLine() {
    return this == SOLID || this == DASHED || this == DOTTED;
  }

  static Mark filled(int index) {
    return FILLED[index % FILLED.length];
  }
}
