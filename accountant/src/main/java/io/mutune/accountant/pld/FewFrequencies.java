package io.mutune.accountant.pld;

import java.util.Arrays;

/**
 * A sum of many losses by the few frequencies that its spectrum has: δ at a point of the grid is
 * the product of the spectrum with that of the weights e^(−λmh)·(1 − e^(−mh)) by which masses m
 * points above it count, which has a closed form. The grid can then be as fine as one likes.
 */
final class FewFrequencies implements LossSum {
  /**
   * Bounds the relative error of a term: of z by 4 ulp, of 1 − z and 1 − z′ by 8 each, so of their
   * quotients by 28, of the two turns by 10 each, and a few more for the products.
   */
  private static final double OWN = 64 * Doubles.ULP;

  private final Scale scale;
  private final double spacing;
  private final long first;
  private final long size;
  private final double lambda;

  /** (re, im) of frequency k at 2k. */
  private final double[] spectrum;

  /** What each frequency is off by. */
  private final double[] errors;

  /** Bounds the modulus of every other frequency. */
  private final double rest;

  FewFrequencies(Scale scale, double[] spectrum, double[] errors, double rest) {
    Window window = scale.window();
    this.scale = scale;
    this.spacing = window.spacing();
    this.first = window.first();
    this.size = window.size();
    this.lambda = window.tilt();
    this.spectrum = spectrum;
    this.errors = errors;
    this.rest = rest;
  }

  /** Collects factors. */
  static final class Product {
    private final double[] values;

    /** For every frequency, the sum of n·e/|φ|. */
    private final double[] growth;

    private double logRest;

    /** Bounds the modulus of what was left out. */
    private double left = Math.exp(Spectrum.SMALLEST_LOG + 1);

    private double factors;
    private double all;

    Product(int bins) {
      values = new double[2 * (LowSpectrum.highest(bins) + 1)];
      growth = new double[LowSpectrum.highest(bins) + 1];
      for (int k = 0; k < growth.length; k++) {
        values[2 * k] = 1;
      }
    }

    void multiply(LowSpectrum spectrum, long count) {
      double n = (double) count;
      factors += n;
      all += n * Math.log1p(spectrum.error());
      logRest += n * Math.min(1e-6, spectrum.logRest());
      double threshold = Spectrum.threshold(n, spectrum.error());
      for (int k = 0; k < growth.length; k++) {
        double re = spectrum.values()[2 * k];
        double im = spectrum.values()[2 * k + 1];
        double modulus = Math.hypot(re, im);
        if (modulus <= threshold || (values[2 * k] == 0 && values[2 * k + 1] == 0)) {
          values[2 * k] = 0;
          values[2 * k + 1] = 0;
          left = Math.max(left, Spectrum.leftOut(n, spectrum.error()));
        } else {
          growth[k] += n * spectrum.error() / modulus;
          Spectrum.power(re, im, count, values, 2 * k);
        }
      }
    }

    /** Whether all other frequencies are negligible. */
    boolean isComplete() {
      return logRest <= Spectrum.SMALLEST_LOG && all < 1;
    }

    FewFrequencies sum(Scale scale) {
      int length = growth.length;
      while (length > 1 && values[2 * length - 2] == 0 && values[2 * length - 1] == 0) {
        length--;
      }
      double[] errors = new double[length];
      for (int k = 0; k < length; k++) {
        double modulus = Math.hypot(values[2 * k], values[2 * k + 1]);
        double rise = Math.min(300, growth[k] + Spectrum.PRODUCT_ERROR * factors);
        errors[k] = left + modulus * Math.expm1(rise);
      }
      return new FewFrequencies(scale, Arrays.copyOf(values, 2 * length), errors, left);
    }
  }

  @Override
  public double deltaAbove(double shifted) {
    double epsilon = scale.onGridBelow(shifted);
    long point = (long) Math.floor(epsilon / spacing);
    if (point < first) {
      return 1;
    }
    if (point >= top()) {
      return Scale.atMostOne(scale.mostInfinite() + scale.above());
    }
    // δ is linear in e^ε between two points.
    double left = delta(point);
    double right = delta(point + 1);
    double part = Math.expm1(epsilon - point * spacing) / Math.expm1(spacing);
    return Scale.atMostOne(
        left + Math.max(0, Math.min(1, part)) * (right - left) + 4 * Doubles.ULP * left);
  }

  @Override
  public double deltaBelow(double shifted) {
    // Below the window δ is no less than at its lowest point.
    double epsilon = Math.max(first * spacing, scale.onGridAbove(shifted));
    if (!(epsilon < top() * spacing)) {
      return scale.leastInfinite();
    }
    long point = (long) Math.floor(epsilon / spacing);
    double right = atMost(point + 1);
    double left = Math.max(right, atMost(point));
    double part = Math.expm1(epsilon - point * spacing) / Math.expm1(spacing);
    return left - Math.max(0, Math.min(1, part)) * (left - right) - 4 * Doubles.ULP * left;
  }

  @Override
  public double epsilonAbove(double delta) {
    return scale.lossAbove(crossing(delta));
  }

  private double crossing(double delta) {
    double chernoff = scale.chernoff(delta);
    long high = top();
    if (!(delta(high) <= delta)) {
      return chernoff;
    }
    long low = first;
    if (delta(low) <= delta) {
      return Math.min(chernoff, low * spacing);
    }
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (delta(middle) <= delta) {
        high = middle;
      } else {
        low = middle;
      }
    }
    double left = delta(low);
    double right = delta(high);
    double part = (left - delta) / (left - right) * (1 + 4 * Doubles.ULP);
    double step = Math.log1p(Math.min(1, part) * Math.expm1(spacing)) * (1 + 4 * Doubles.ULP);
    return Math.min(chernoff, low * spacing + Math.min(spacing, step));
  }

  private long top() {
    return first + size - 1;
  }

  @Override
  public double epsilonBelow(double delta, double near) {
    long high = Math.min(top(), (long) Math.ceil(near / spacing));
    long low = high - 1;
    for (long step = 1; !(atMost(low) > delta); step *= 2) {
      high = low;
      low = high - step;
      if (low < first) {
        return Double.NEGATIVE_INFINITY;
      }
    }
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (atMost(middle) > delta) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return scale.lossBelow(low * spacing);
  }

  /** At most δ at a point of the window, and the shift above it. */
  private double atMost(long point) {
    Bound bound = bound(point);
    double scaled = bound.sum() - bound.error() - scale.wrapped() / (1 + lambda);
    return scale.deltaBelow(point * spacing, Math.max(0, scaled) * (1 - 8 * Doubles.ULP));
  }

  /** At least δ at a point of the window. */
  private double delta(long point) {
    Bound bound = bound(point);
    double scaled = Math.max(0, bound.sum() + bound.error());
    return scale.deltaAbove(point * spacing, scaled * (1 + 8 * Doubles.ULP));
  }

  /** What masses above a point count, and what that is off by. */
  private record Bound(double sum, double error) {}

  private Bound bound(long point) {
    long reach = top() - point;
    if (reach <= 0) {
      return new Bound(0, 0);
    }
    double a = lambda * spacing;
    double fall = Math.exp(-a);
    double fallBoth = Math.exp(-a - spacing);
    double rest1 = -Math.expm1(-a);
    double rest2 = -Math.expm1(-a - spacing);
    double drop = -Math.expm1(-spacing);
    double tail = Math.exp(-a * reach);
    double tailBoth = Math.exp(-spacing * reach);
    double own = OWN + Doubles.ULP * (spectrum.length / 2.0 + (a + spacing) * reach);
    double sum = 0;
    double error = 0;
    double weightAtZero = 0;
    for (int k = 0; 2 * k < spectrum.length; k++) {
      double half = Math.PI * k / size;
      double sine = Math.sin(half);
      double sine2 = Math.sin(2 * half);
      // z = e^(−λh + iθ) and z' = z·e^−h; u = 1 − z and v = 1 − z', without cancellation.
      double uRe = rest1 + 2 * fall * sine * sine;
      double uIm = -fall * sine2;
      double vRe = rest2 + 2 * fallBoth * sine * sine;
      double vIm = -fallBoth * sine2;
      double cosine2 = 1 - 2 * sine * sine;
      double zRe = fall * cosine2;
      double zIm = fall * sine2;
      double uu = uRe * uRe + uIm * uIm;
      double vv = vRe * vRe + vIm * vIm;
      // p = z/(1 − z), r = z'/(1 − z'), and their difference p·(1 − e^−h)/(1 − z').
      double pRe = (zRe * uRe + zIm * uIm) / uu;
      double pIm = (zIm * uRe - zRe * uIm) / uu;
      double dRe = drop * (pRe * vRe + pIm * vIm) / vv;
      double dIm = drop * (pIm * vRe - pRe * vIm) / vv;
      double shrink = fallBoth / fall;
      double rRe = shrink * (zRe * vRe + zIm * vIm) / vv;
      double rIm = shrink * (zIm * vRe - zRe * vIm) / vv;
      double turn = angle(k, reach);
      double eRe = tail * (pRe - tailBoth * rRe);
      double eIm = tail * (pIm - tailBoth * rIm);
      double cos = Math.cos(turn);
      double sin = Math.sin(turn);
      double wRe = dRe - (eRe * cos - eIm * sin);
      double wIm = dIm - (eRe * sin + eIm * cos);
      double place = angle(k, point);
      double fRe = spectrum[2 * k] * Math.cos(place) - spectrum[2 * k + 1] * Math.sin(place);
      double fIm = spectrum[2 * k] * Math.sin(place) + spectrum[2 * k + 1] * Math.cos(place);
      double size1 =
          Math.hypot(dRe, dIm) + tail * (Math.hypot(pRe, pIm) + tailBoth * Math.hypot(rRe, rIm));
      double twice = k == 0 ? 1 : 2;
      sum += twice * (fRe * wRe - fIm * wIm);
      error += twice * size1 * (errors[k] + own * (Math.abs(fRe) + Math.abs(fIm)));
      if (k == 0) {
        weightAtZero = size1;
      }
    }
    return new Bound(sum / size, error / size + rest * weightAtZero);
  }

  /** 2π·k·m/N, reduced exactly. */
  private double angle(int k, long m) {
    return 2 * Math.PI * Math.floorMod(k * m, size) / size;
  }
}
