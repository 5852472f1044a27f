package io.mutune.accountant.pld;

/**
 * The distribution of a sum of losses near one place of it: the mass of kh is e^(logScale − λkh)
 * times what is held here. Tilting makes what is asked for the bulk of what the transform sees, so
 * that its rounding errors are small against a δ of any size.
 */
final class TiltedSum implements LossSum {
  /** The number of products between two exponentials; their rounding is in {@code relative}. */
  private static final int RUN = 64;

  /** Between these, products of a run of factors neither overflow nor underflow unseen. */
  private static final double SMALLEST = 1e-200;

  private static final double LARGEST = 1e200;

  private final Scale scale;
  private final double spacing;
  private final long first;

  /** Of the losses (first + i)·spacing. */
  private final double[] masses;

  private final double lambda;

  /** Bounds the Euclidean norm of the error of {@code masses}. */
  private final double error;

  /** At the last ε that was asked for: mass of one point over e^ε·Q(L > ε). */
  private double rise;

  TiltedSum(Scale scale, double[] masses, double error) {
    this.scale = scale;
    this.spacing = scale.window().spacing();
    this.first = scale.window().first();
    this.lambda = scale.window().tilt();
    this.masses = masses;
    this.error = error;
  }

  /** On the chord between two points of the grid. */
  @Override
  public double deltaAbove(double above) {
    double epsilon = scale.onGridBelow(above);
    if (epsilon < first * spacing) {
      return 1;
    }
    Scan scan = new Scan(1).downTo(epsilon);
    return scan.deltaAbove(epsilon, scan.weightNorm(scan.stepDownTo(epsilon)));
  }

  @Override
  public double deltaBelow(double below) {
    // Below the window δ is no less than at its lowest point.
    double epsilon = Math.max(first * spacing, scale.onGridAbove(below));
    if (!(epsilon <= (first + masses.length - 1) * spacing)) {
      return scale.leastInfinite();
    }
    return new Scan(-1).downTo(epsilon).deltaBelow(epsilon);
  }

  /**
   * At least δ(ε) at many ε, with one scan of the grid.
   *
   * @param ascending the ε
   */
  double[] deltasAbove(double[] ascending) {
    double[] deltas = new double[ascending.length];
    Scan scan = new Scan(1);
    // No step between points is longer, and longer ones have larger norms.
    double norm = scan.weightNorm(2 * spacing);
    for (int i = ascending.length - 1; i >= 0; i--) {
      double epsilon = scale.onGridBelow(ascending[i]);
      deltas[i] = epsilon < first * spacing ? 1 : scan.downTo(epsilon).deltaAbove(epsilon, norm);
    }
    return deltas;
  }

  @Override
  public double epsilonAbove(double delta) {
    double epsilon = scale.chernoff(delta);
    double left = (delta - scale.mostInfinite() - scale.above()) * (1 - 0x1p-50);
    if (left > 0) {
      double log = Math.log(left) - scale.relative() - rounding();
      epsilon = Math.min(epsilon, cross(new Scan(1), log));
    }
    return scale.lossAbove(epsilon);
  }

  @Override
  public double epsilonBelow(double delta, double near) {
    double left = (delta - scale.leastInfinite()) * (1 + 0x1p-50);
    if (left <= 0) {
      // No ε is enough.
      return scale.lossBelow((first + masses.length - 1) * spacing);
    }
    // Of a measure without any mass left, nothing here is a number.
    if (!(left > 0)) {
      return Double.NEGATIVE_INFINITY;
    }
    double epsilon = cross(new Scan(-1), Math.log(left) + scale.relative() + rounding());
    // Where nothing in the window reaches δ, nothing is known of what is below.
    return epsilon > first * spacing ? scale.lossBelow(epsilon) : Double.NEGATIVE_INFINITY;
  }

  private double cross(Scan scan, double logDelta) {
    double threshold = 0;
    while (scan.hasNext()) {
      double excess = scan.excess;
      double loss = scan.loss();
      scan.next();
      // δ in units of the scale at this point, afresh before the products have lost many digits.
      boolean isStale = !(threshold > SMALLEST && threshold < LARGEST);
      threshold =
          isStale || (masses.length - scan.at) % RUN == 2
              ? Math.exp(logDelta - scale.logScale() + lambda * scan.loss())
              : threshold * scan.shrink;
      double reached = scan.excess + scan.floor;
      // What underflowed or is no number was not shown to be below δ, nor above it.
      if (scan.side > 0 ? !(reached < threshold) : reached > threshold) {
        rise = Math.max(0, masses[scan.at + 1]) * scan.shrink / (scan.above - scan.excess);
        // Between two points δ is A − (A − δ₁)·e^−t at a distance t below the upper one.
        double before = excess * scan.shrink;
        double part = (scan.above - (threshold - scan.floor)) / (scan.above - before);
        // The quotient is good to a few roundings of 1.
        double step = -Math.log(part) - scan.side * 8 * Doubles.ULP;
        return loss - Math.max(0, Math.min(spacing, step >= 0 || scan.side < 0 ? step : 0));
      }
    }
    return scan.loss();
  }

  /**
   * By how much ε grew, about, if each of {@code count} losses was moved to the ends of its cells:
   * as much as by Gaussian noise of variance h²/6 each, (n·h²/12)·p(ε)/(e^ε·Q(L > ε)) with p the
   * density of the loss.
   */
  double widening(double count) {
    return count * spacing / 12 * rise;
  }

  /** Bounds the relative rounding of a scan, whose sums and weights are recursions. */
  private double rounding() {
    return 4 * Doubles.ULP * masses.length;
  }

  /** Goes down the grid, with sums of terms that are never negative but by rounding. */
  private final class Scan {
    private final double shrink = Math.exp(-lambda * spacing);
    private final double stay = Math.exp(-spacing);
    private final double rest = -Math.expm1(-spacing);
    private final double floor;
    private final int side;
    private int at = masses.length - 1;

    /** Σ over the points above of mass, in units of the scale at this point. */
    private double above;

    /** Σ over the points above of mass·(1 − e^(ε − loss)), which is δ at this point. */
    private double excess;

    Scan(int side) {
      this.side = side;
      this.floor =
          side > 0
              ? error * weightNorm(0)
              : -error * weightNorm(0) - scale.wrapped() / (1 + lambda);
    }

    double loss() {
      return (first + at) * spacing;
    }

    boolean hasNext() {
      return at > 0;
    }

    void next() {
      above = shrink * (above + masses[at]);
      excess = rest * above + stay * shrink * excess;
      at--;
    }

    /** Goes on to the lowest point that is no lower than this place. */
    Scan downTo(double epsilon) {
      while (loss() - spacing >= epsilon && hasNext()) {
        next();
      }
      return this;
    }

    double stepDownTo(double epsilon) {
      return Math.max(0, loss() - epsilon);
    }

    /**
     * At least δ at a place between this point and the next.
     *
     * @param norm at least {@link #weightNorm} of the step to that place
     */
    double deltaAbove(double epsilon, double norm) {
      double step = stepDownTo(epsilon);
      double mass = above + masses[at];
      double total = -Math.expm1(-step) * mass + Math.exp(-step) * excess;
      double off = Math.abs(total) * rounding() + error * norm;
      return scale.deltaAbove(loss(), Math.max(0, total + off));
    }

    /**
     * At most that. A mass at a distance x above a point weighs 1 − e^(−t−x) ≤ t + 1 − e^(−x) at t
     * below it, and so what wrapped counts t more than at the point.
     */
    double deltaBelow(double epsilon) {
      double step = stepDownTo(epsilon);
      double mass = above + masses[at];
      double total = -Math.expm1(-step) * mass + Math.exp(-step) * excess;
      double off =
          Math.abs(total) * rounding()
              + error * weightNorm(step)
              + scale.wrapped() * (1 / (1 + lambda) + step);
      return scale.deltaBelow(loss(), Math.max(0, total - off));
    }

    /**
     * The Euclidean norm of the weights e^(−λmh)·(1 − e^(−t−mh)) by which masses count in δ at a
     * distance t below a point, in units of the scale at that point.
     */
    private double weightNorm(double step) {
      double sum = 0;
      double tilted = 1;
      double drop = -Math.expm1(-step);
      for (int m = 0; m < masses.length && tilted > 1e-18; m++) {
        double weight = tilted * drop;
        sum += weight * weight;
        tilted *= shrink;
        // 1 minus a product of factors near 1 would have few digits.
        drop = rest + stay * drop;
      }
      // The rounding of the products, and what is beyond the last.
      return Math.sqrt(sum + 1e-30) * (1 + 1e-8);
    }
  }

  @Override
  public String toString() {
    return "error %s of %s".formatted(error, scale);
  }
}
