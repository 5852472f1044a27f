package io.mutune.orchestrator.study;

/**
 * What one process does of a study at a time, where several share it. Its text is its name.
 *
 * @param number of the trial; 0 where it is none
 */
public record Piece(Kind kind, int number) {
  /** What there is to do. */
  public enum Kind {
    /** The private mean, which everything after it needs. */
    MEAN,
    /** One trial, from its charge to its score. */
    TRIAL,
    /** What follows when no trial is left: the decision, the final run, the test. */
    LAST
  }

  /** The release of the private mean. */
  public static final Piece MEAN = new Piece(Kind.MEAN, 0);

  /** The end of the study. */
  public static final Piece LAST = new Piece(Kind.LAST, 0);

  public Piece {
    if ((kind == Kind.TRIAL) != (number > 0)) {
      throw new IllegalArgumentException(kind + " " + number + " is no piece of a study");
    }
  }

  /** The trial of this number, counted from 1. */
  public static Piece trial(int number) {
    return new Piece(Kind.TRIAL, number);
  }

  /**
   * The piece of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Piece of(String name) {
    return switch (name) {
      case "mean" -> MEAN;
      case "last" -> LAST;
      default -> trial(Integer.parseInt(name));
    };
  }

  @Override
  public String toString() {
    return switch (kind) {
      case MEAN -> "mean";
      case TRIAL -> Integer.toString(number);
      case LAST -> "last";
    };
  }
}
