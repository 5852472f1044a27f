package io.mutune.orchestrator.figure;

/** What tells one series from another where there are no colours. */
public enum Mark {
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

  public static Mark filled(int index) {
    return FILLED[index % FILLED.length];
  }
}
