package io.mutune.accountant.compare;

/** An accountant's answer: an interval around the true value, or why there is none. */
public sealed interface Answer {
  /**
   * Where the true value is, an ε or a δ as it was asked for.
   *
   * @param lower at least 0, and 0 where no better one is known; infinite if no ε is enough
   * @param upper at least {@code lower}: what may be stated, rounded up; infinite if this way knows
   *     no finite ε
   */
  record Bound(double lower, double upper) implements Answer {
    public Bound {
      if (!(lower >= 0 && upper >= lower)) {
        throw new IllegalArgumentException(
            "a bound needs 0 <= lower <= upper; was [%s, %s]".formatted(lower, upper));
      }
    }

    /** A value that is known from above only. */
    public static Bound upper(double upper) {
      return new Bound(0, upper);
    }

    /** Whether {@link #upper} says anything of an ε. */
    public boolean isFinite() {
      return upper < Double.POSITIVE_INFINITY;
    }
  }

  /**
   * The accountant cannot say.
   *
   * @param reason a clause without a full stop, such as {@code the rule needs a delta above 0}
   */
  record NotApplicable(String reason) implements Answer {
    public NotApplicable {
      if (reason.isBlank()) {
        throw new IllegalArgumentException("what does not apply says why");
      }
    }
  }
}
