package io.mutune.accountant.pld;

import io.mutune.accountant.pld.ConnectTheDots.Range;
import io.mutune.accountant.pld.Cumulants.At;
import io.mutune.accountant.pld.Cumulants.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the {@link Window} of a sum of losses for a δ or an ε, so that nobody else has to. A bad
 * choice widens an answer's interval; it cannot make it wrong.
 *
 * <p>Connecting dots at a spacing h adds no more to a loss than a Gaussian release of μ² = h²/6
 * does, so that n of them move ε by about n(1 + λ)h²/12 at the saddle point λ.
 */
final class Plan {
  /** The relative error of ε that is always worth its time, and the one that is enough. */
  private static final double GOOD = 2e-7;

  private static final double ENOUGH = 6e-6;

  private static final int SMALLEST = 1 << 10;
  private static final int CHEAP = 1 << 17;
  private static final int LARGEST = 1 << 22;

  /** Points at the window's ends that rounding to the grid may need. */
  private static final int MARGIN = 8;

  /** ln of the share of δ that may be lost above the window, and that single losses may lose. */
  private static final double SHARE = 16;

  /** Shares of the saddle point's λ to try, and how far e^(K − λε) may then be above δ. */
  private static final double[] TILTS = {0.75, 0.5, 0.25};

  private static final double LARGEST_EXCESS = 6;

  /** What taking small losses up may add to K. */
  private static final double NEGLIGIBLE = 1e-10;

  /** The share of the tilted mass that is put into wide cells. */
  private static final double COARSE = 1e-4;

  private static final int COARSER = 8;

  /** A tilt off the saddle point pays in accuracy; what it has to save. */
  private static final double WORTH_IT = 0.8;

  private final List<Part> parts;
  private final List<Term> terms = new ArrayList<>();
  private final Cumulants cumulants;
  private final double count;

  Plan(List<Part> parts) {
    this.parts = parts;
    for (Part part : parts) {
      terms.add(Term.of(part.loss(), part.count()));
    }
    this.cumulants = new Cumulants(terms);
    this.count = parts.stream().mapToDouble(Part::count).sum();
  }

  /** For the ε of a δ, given as ln δ without the mass of infinite losses. */
  Window forDelta(double logDelta) {
    return window(cumulants.withLogDelta(logDelta), logDelta);
  }

  /** For the δ of an ε. */
  Window forEpsilon(double epsilon) {
    At tilt = cumulants.withMean(epsilon);
    return window(tilt, Math.min(0, tilt.value() - tilt.lambda() * epsilon));
  }

  /** The narrowest window of a few tilts; the saddle point's is best but for heavy tails. */
  private Window window(At saddle, double logDelta) {
    double cut = Math.exp(logDelta - SHARE) / count;
    double highest = 0;
    double lowest = 0;
    for (Term term : terms) {
      highest += term.count() * term.top(cut);
      lowest += term.count() * term.bottom(saddle.lambda(), NEGLIGIBLE);
    }
    double epsilon = saddle.mean();
    At beyond = cumulants.withRate(SHARE - logDelta);
    double reach = beyond.mean();
    Span best = span(saddle, excess(saddle, epsilon, logDelta), lowest, highest, reach);
    for (double part : TILTS) {
      At tilt = cumulants.at(part * saddle.lambda());
      double excess = excess(tilt, epsilon, logDelta);
      if (excess
          > Math.max(LARGEST_EXCESS, excess(saddle, epsilon, logDelta) + LARGEST_EXCESS - 1)) {
        break;
      }
      Span span = span(tilt, excess, lowest, highest, reach);
      if (span.width() < WORTH_IT * best.width()) {
        best = span;
      }
    }
    double spread = Math.max(epsilon, 0.01 * Math.sqrt(saddle.variance()));
    double unit = Math.sqrt(12 * spread / (count * (1 + saddle.lambda())));
    int size = size(best.width() / unit);
    double spacing = spacing(best.width() / (size - MARGIN));
    double ends = Math.min(3 * count, size / 4.0);
    while (best.width() / spacing + (best.high() >= highest ? ends : 0) > size - MARGIN / 2) {
      size *= 2;
    }
    int first = (int) Math.floor(best.low() / spacing) - 1;
    At over = best.high() < beyond.mean() ? cumulants.withMean(best.high()) : beyond;
    return new Window(
        spacing, size, first, best.tilt().lambda(), over.lambda(), best.before().lambda(), cut);
  }

  /** How far e^(K − λε), the scale of what the transform sees, is above δ, as a logarithm. */
  private static double excess(At tilt, double epsilon, double logDelta) {
    return Math.max(0, tilt.value() - tilt.lambda() * epsilon - logDelta);
  }

  private Span span(At tilt, double excess, double lowest, double highest, double reach) {
    At before = cumulants.leftOf(tilt, excess + SHARE);
    At after = cumulants.rightOf(tilt, excess + SHARE);
    double high = Math.min(highest, Math.max(reach, after.mean()));
    return new Span(tilt, before, Math.min(high, Math.max(lowest, before.mean())), high);
  }

  /** What a tilt needs to see. */
  private record Span(At tilt, At before, double low, double high) {
    double width() {
      return high - low;
    }
  }

  /** The size for a window of so many units, where a spacing of √r units errs by about r in ε. */
  private static int size(double units) {
    int good = powerOfTwo(units / Math.sqrt(GOOD));
    int enough = powerOfTwo(units / Math.sqrt(ENOUGH));
    return Math.max(enough, Math.min(good, CHEAP));
  }

  private static int powerOfTwo(double points) {
    int size = SMALLEST;
    while (size - MARGIN < points && size < LARGEST) {
      size *= 2;
    }
    return size;
  }

  /**
   * At most {@code largest}: a part of the lattice if one lattice holds some losses, or else with
   * few enough digits that multiples are exact.
   */
  private double spacing(double largest) {
    double[] lattices =
        parts.stream().mapToDouble(part -> part.loss().lattice()).distinct().toArray();
    if (lattices.length == 1 && lattices[0] > 0) {
      return lattices[0];
    }
    double[] some = Arrays.stream(lattices).filter(x -> x > 0).toArray();
    if (some.length == 1) {
      return some[0] / Math.ceil(some[0] / largest);
    }
    return Math.max(Float.MIN_NORMAL, Math.nextDown((float) largest));
  }

  /** Where the losses of a part are, for a window. */
  Range range(int part, Window window) {
    Term term = terms.get(part);
    double[] bulk = term.bulk(window.tilt(), COARSE);
    return new Range(
        term.bottom(window.tilt(), NEGLIGIBLE), bulk[0], bulk[1], term.top(window.cut()));
  }

  /** The same where losses that are taken up may not change more than this share of their mass. */
  Range fineRange(int part, Window window, double share) {
    Term term = terms.get(part);
    double bottom = term.bottom(0, share);
    double top = term.top(window.cut());
    return new Range(bottom, bottom, top, top);
  }

  /** How many losses are moved to the ends of their cells: those that are not on the grid. */
  double moved() {
    long lattices =
        parts.stream()
            .mapToDouble(part -> part.loss().lattice())
            .filter(x -> x > 0)
            .distinct()
            .count();
    return parts.stream()
        .filter(part -> lattices != 1 || part.loss().lattice() == 0)
        .mapToDouble(Part::count)
        .sum();
  }

  /** A window of the same width with a spacing that errs by {@link #ENOUGH}, as far as one may. */
  Window refine(Window window, double widening, double epsilon) {
    double factor = Math.sqrt(widening / (ENOUGH * epsilon));
    if (!(factor > 1.6) || hasLattice()) {
      return window;
    }
    int size = window.size();
    double spacing = window.spacing();
    while (factor > 1.1 && size < LARGEST) {
      size *= 2;
      factor /= 2;
      spacing /= 2;
    }
    int scale = size / window.size();
    return new Window(
        spacing,
        size,
        window.first() * scale,
        window.tilt(),
        window.beyond(),
        window.before(),
        window.cut());
  }

  /** The same window with a coarser grid, for a bound at a small part of the price. */
  Window coarsen(Window window) {
    if (hasLattice() || window.size() < SMALLEST * COARSER) {
      return window;
    }
    return new Window(
        window.spacing() * COARSER,
        window.size() / COARSER,
        Math.floorDiv(window.first(), COARSER),
        window.tilt(),
        window.beyond(),
        window.before(),
        window.cut());
  }

  private boolean hasLattice() {
    return parts.stream().anyMatch(part -> part.loss().lattice() > 0);
  }

  double count() {
    return count;
  }
}
