package io.mutune.accountant.pld;

import java.util.List;
import java.util.Optional;

/** Composes measures on one grid within a {@link Window}, with every error of the way bounded. */
record Convolution(List<Power> powers, Window window) {
  private static final int FEWEST_BINS = 1 << 12;
  private static final int MOST_BINS = 1 << 18;

  /** Of what Chernoff's bound is tried at: it says little here. */
  private static final double SMALLEST_BETA = 1e-6;

  /** One measure, {@code count} times. */
  record Power(LossMeasure measure, long count) {}

  /** A measure under the tilt. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Tilted(double[] masses, double logMoment) {}

  /** By a transform of the whole window. */
  TiltedSum whole() {
    RealTransform transform = new RealTransform(window.size());
    Spectrum spectrum = new Spectrum(transform);
    double[] logMoments = new double[powers.size()];
    for (int i = 0; i < logMoments.length; i++) {
      Power power = powers.get(i);
      Tilted tilted = tilt(power.measure());
      logMoments[i] = tilted.logMoment;
      double[] vector = new double[window.size()];
      int place = Math.floorMod(power.measure().first(), window.size());
      for (double mass : tilted.masses) {
        vector[place] += mass;
        place = place + 1 == vector.length ? 0 : place + 1;
      }
      spectrum.multiply(vector, power.count());
    }
    Spectrum.Result result = spectrum.invert();
    double[] cyclic = result.entries();
    double[] masses = new double[window.size()];
    int start = Math.floorMod(window.first(), window.size());
    System.arraycopy(cyclic, start, masses, 0, window.size() - start);
    System.arraycopy(cyclic, 0, masses, window.size() - start, start);
    return new TiltedSum(scale(logMoments), masses, result.error());
  }

  /** By a few frequencies, if all others are negligible; at a tilt above 0 only. */
  Optional<FewFrequencies> fewFrequencies() {
    if (!(window.tilt() > 0)) {
      return Optional.empty();
    }
    List<Tilted> tilted = powers.stream().map(power -> tilt(power.measure())).toList();
    double[] logMoments = tilted.stream().mapToDouble(t -> t.logMoment).toArray();
    for (int bins = tilted.size() > Plan.MANY ? FEWEST_BINS : 4 * FEWEST_BINS;
        4 * bins <= window.size() && bins <= MOST_BINS;
        bins *= 4) {
      RealTransform transform = new RealTransform(bins);
      FewFrequencies.Product product = new FewFrequencies.Product(bins);
      for (int i = 0; i < tilted.size(); i++) {
        Power power = powers.get(i);
        LossMeasure measure = power.measure();
        product.multiply(
            LowSpectrum.of(tilted.get(i).masses, measure.first(), window.size(), transform),
            power.count());
      }
      if (product.isComplete()) {
        return Optional.of(product.sum(scale(logMoments)));
      }
    }
    return Optional.empty();
  }

  /**
   * In a window that begins with the lowest sum, if that is a few points of each loss below this
   * one: cells that are merged are also lowered, and no bound of what is below a window is small
   * where most of the mass is at its lowest sum.
   */
  Convolution fromLowest() {
    double lowest = 0;
    double count = 0;
    for (Power power : powers) {
      lowest += (double) power.count() * power.measure().first();
      count += (double) power.count();
    }
    double under = window.first() - lowest;
    return under > 0 && under <= Math.min(3 * count, window.size() / 16.0)
        ? new Convolution(
            powers, window.on(window.spacing(), window.size(), window.first() - (long) under))
        : this;
  }

  private Scale scale(double[] logMoments) {
    double logScale = 0;
    double sizes = 0;
    double relative = 2 * LossMeasure.RUN * Doubles.ULP;
    double finite = 0;
    double logTotal = 0;
    double highest = 0;
    double lowest = 0;
    double shift = 0;
    double shifts = 0;
    for (int i = 0; i < logMoments.length; i++) {
      LossMeasure measure = powers.get(i).measure();
      double count = (double) powers.get(i).count();
      logScale += count * logMoments[i];
      sizes += count * Math.abs(logMoments[i]);
      relative += count * measure.roundingOfMoment(window.tilt(), logMoments[i]);
      double total = measure.total();
      logTotal += count * Math.log(total);
      finite += count * Math.log1p(-measure.infinite() / total);
      highest += count * measure.last();
      lowest += count * measure.first();
      shift += count * measure.shift();
      shifts += count * Math.abs(measure.shift());
    }
    relative += Doubles.ULP * (logMoments.length + 4) * sizes;
    double above = 0;
    double wrapped = 0;
    // Chernoff's bounds, for what is above and, under the tilt, for what is above and below: the
    // tilt changes neither by more than at the window's end.
    if (highest > window.first() + window.size() - 1) {
      above = Math.exp(Math.min(0, logAbove(0)));
      wrapped += wrapped(window.beyond(), window.highest(), logScale, relative);
    }
    if (lowest < window.first()) {
      wrapped += wrapped(window.before(), window.lowest(), logScale, relative);
    }
    double infinite = Math.max(0, -Math.expm1(finite));
    double rounding = 8 * Doubles.ULP * (logMoments.length + 1);
    return new Scale(
        window,
        shift,
        Doubles.ULP * (logMoments.length + 2) * shifts,
        logScale,
        relative,
        infinite * Math.exp(logTotal + 2 * relative) * (1 + rounding),
        Math.max(0, infinite * Math.exp(logTotal) * (1 - rounding - 2 * relative)),
        above,
        wrapped);
  }

  /**
   * ln of a bound on E[e^(λL)] over the losses above the window. Where the planned β is no good,
   * for the end is all but the largest loss and rounding takes losses beyond it, smaller ones are
   * tried.
   */
  private double logAbove(double lambda) {
    double beta = window.beyond();
    double log = logTail(beta, window.highest(), lambda);
    while (log > -Plan.SHARE && beta > lambda && beta > SMALLEST_BETA) {
      beta = Math.max(lambda, beta / 4);
      double next = logTail(beta, window.highest(), lambda);
      if (next >= log) {
        break;
      }
      log = next;
    }
    return log;
  }

  /**
   * Bounds the tilted mass beyond an end of the window. Any β on the right side of λ bounds it, and
   * the planned one was chosen for other tails: nearer and farther ones are tried while they say
   * more.
   */
  private double wrapped(double planned, double end, double logScale, double relative) {
    double lambda = window.tilt();
    double best = logTail(planned, end, lambda);
    for (double factor : new double[] {0.25, 4}) {
      double off = planned - lambda;
      while (!(best - logScale <= -2 * Plan.SHARE) && Math.abs(off) > SMALLEST_BETA) {
        off *= factor;
        double next = logTail(lambda + off, end, lambda);
        if (next >= best || !(next < Double.POSITIVE_INFINITY)) {
          break;
        }
        best = next;
      }
    }
    return Math.exp(Math.min(0, best - logScale + relative));
  }

  /**
   * ln of a bound on E[e^(λL)] over the losses beyond an end of the window, E[e^(βL)]·e^((λ −
   * β)·end), with its rounding; infinite where β is on the wrong side of λ for this end.
   */
  private double logTail(double beta, double end, double lambda) {
    boolean isTop = end == window.highest();
    if (isTop ? beta < lambda : beta > lambda) {
      return Double.POSITIVE_INFINITY;
    }
    double log = (lambda - beta) * end;
    double rounding = 4 * Doubles.ULP * (Math.abs(lambda) + Math.abs(beta)) * Math.abs(end);
    double sizes = 0;
    for (Power power : powers) {
      double count = (double) power.count();
      double moment = power.measure().logMoment(beta);
      log += count * moment;
      sizes += count * Math.abs(moment);
      rounding += count * power.measure().roundingOfMoment(beta, moment);
    }
    return log + rounding + Doubles.ULP * (powers.size() + 4) * sizes;
  }

  /** Masses mass·e^(λ·loss)/M, and ln M. */
  private Tilted tilt(LossMeasure measure) {
    double[] masses = measure.masses();
    double lambda = window.tilt();
    double shrink = Math.exp(-lambda * window.spacing());
    int last = masses.length - 1;
    double[] weighted = new double[masses.length];
    double sum = 0;
    double weight = 1;
    for (int i = last; i >= 0; i--) {
      int run = last - i;
      weight =
          run % LossMeasure.RUN == 0 ? Math.exp(-lambda * run * window.spacing()) : weight * shrink;
      weighted[i] = masses[i] * weight;
      sum += weighted[i];
    }
    for (int i = 0; i <= last; i++) {
      weighted[i] /= sum;
    }
    return new Tilted(weighted, Math.log(sum) + lambda * measure.last() * window.spacing());
  }
}
