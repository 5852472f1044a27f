package io.mutune.accountant.pld;

/**
 * The low frequencies of a probability vector on a cyclic grid of N points, far fewer than N, and a
 * bound on all others.
 *
 * <p>The grid is cut into bins of K points. Within one, e^(−iθj) at a low frequency is nearly a
 * polynomial in j: the spectrum is that of the bins' moments, by transforms of N/K points, with
 * Taylor's remainder of what is left out.
 *
 * <p>At higher frequencies, L neighbouring masses that are all at least m cancel but for their
 * excess over m: |Σ m·e^(−iθj)| ≤ m/sin(θ/2). So |φ(θ)| ≤ 1 − Σ m·(L − 1/sin(θ/2)) over disjoint
 * blocks, which falls with θ.
 *
 * @param values (re, im) of frequency k at 2k
 * @param error bounds the modulus of what each value is off by
 * @param logRest ln of a bound on the modulus at all higher frequencies
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LowSpectrum(double[] values, double error, double logRest) {
  /** Moments 0 to ORDER, at phases within a bin of at most PHASE: 0.2¹²/12! is below 1e−17. */
  private static final int ORDER = 11;

  private static final double PHASE = 0.2;
  private static final double REMAINDER = 1e-17;

  /** Sums are split into runs, so that few roundings meet. */
  private static final int RUN = 16;

  /** The highest frequency that so many bins can give. */
  static int highest(int bins) {
    return (int) (PHASE * bins / Math.PI);
  }

  /** Of masses at the places first, first + 1, … modulo {@code size}, whose sum is about 1. */
  static LowSpectrum of(double[] masses, long first, int size, RealTransform transform) {
    int bins = transform.size();
    int highest = highest(bins);
    int width = size / bins;
    int count = 0;
    for (double mass : masses) {
      count += mass > 0 ? 1 : 0;
    }
    int[] places = new int[count];
    double[] weights = new double[count];
    int next = 0;
    int place = Math.floorMod(first, size);
    for (double mass : masses) {
      if (mass > 0) {
        places[next] = place;
        weights[next++] = mass;
      }
      place = place + 1 == size ? 0 : place + 1;
    }
    double[][] moments = new double[ORDER + 1][bins];
    accumulate(weights, places, width, moments);
    double[] values = new double[2 * (highest + 1)];
    double factorial = 1;
    for (int m = 0; m <= ORDER; m++) {
      factorial *= Math.max(1, m);
      double[] moment = moments[m];
      transform.forward(moment);
      for (int k = 0; k <= highest; k++) {
        double factor = Math.pow(Math.PI * k / bins, m) / factorial;
        double re = k == 0 ? moment[0] : moment[2 * k];
        double im = k == 0 ? 0 : moment[2 * k + 1];
        // (−i)^m
        switch (m & 3) {
          case 0 -> add(values, k, factor * re, factor * im);
          case 1 -> add(values, k, factor * im, -factor * re);
          case 2 -> add(values, k, -factor * re, -factor * im);
          default -> add(values, k, -factor * im, factor * re);
        }
      }
    }
    for (int k = 0; k <= highest; k++) {
      double angle = -Math.PI * k * (width - 1) / size;
      double re = values[2 * k];
      double im = values[2 * k + 1];
      values[2 * k] = re * Math.cos(angle) - im * Math.sin(angle);
      values[2 * k + 1] = re * Math.sin(angle) + im * Math.cos(angle);
    }
    double terms = RUN + Math.ceil(masses.length / (double) size) * (width / (double) RUN + 2);
    double error =
        Math.exp(PHASE) * (transform.absoluteError() + Doubles.ULP * (terms + ORDER + 8))
            + REMAINDER;
    return new LowSpectrum(values, error * (1 + 1e-6), logRest(masses, highest, size));
  }

  private static void add(double[] values, int k, double re, double im) {
    values[2 * k] += re;
    values[2 * k + 1] += im;
  }

  /** Adds up, for every bin, its weights times the powers of their places in it, in (−1, 1). */
  private static void accumulate(double[] weights, int[] places, int width, double[][] moments) {
    double scale = 1.0 / width;
    double[] powers = new double[RUN];
    double[] offsets = new double[RUN];
    int i = 0;
    while (i < weights.length) {
      int bin = places[i] / width;
      int middle = 2 * bin * width + width - 1;
      int end = (bin + 1) * width;
      int stop = Math.min(weights.length, i + RUN);
      int length = 0;
      for (; i < stop && places[i] < end && places[i] >= end - width; i++) {
        powers[length] = weights[i];
        offsets[length++] = (2 * places[i] - middle) * scale;
      }
      for (int m = 0; m <= ORDER; m++) {
        double sum = 0;
        for (int j = 0; j < length; j++) {
          sum += powers[j];
          powers[j] *= offsets[j];
        }
        moments[m][bin] += sum;
      }
    }
  }

  /** ln of a bound on the modulus of all higher frequencies. */
  private static double logRest(double[] masses, int highest, int size) {
    double cancelled = 1 / Math.sin(Math.PI * (highest + 1) / size);
    int length = Integer.highestOneBit((int) cancelled) * 2;
    double[] least = least(masses, length);
    double best = 0;
    for (int blocks = least.length; blocks > 0; blocks /= 2, length *= 2) {
      double flat = 0;
      for (int b = 0; b < blocks; b++) {
        flat += least[b];
      }
      best = Math.max(best, flat * (length - cancelled));
      for (int b = 0; b < blocks / 2; b++) {
        least[b] = Math.min(least[2 * b], least[2 * b + 1]);
      }
    }
    double sum = 1 + (masses.length + 8) * Doubles.ULP;
    return Math.log(Math.max(0, sum - best * (1 - 4 * Doubles.ULP)) + 1e-12);
  }

  /** The least mass of every whole block of so many. */
  private static double[] least(double[] masses, int length) {
    double[] least = new double[masses.length / length];
    for (int b = 0; b < least.length; b++) {
      double found = masses[b * length];
      for (int j = b * length + 1; j < (b + 1) * length && found > 0; j++) {
        found = Math.min(found, masses[j]);
      }
      least[b] = found;
    }
    return least;
  }
}
