package io.mutune.accountant.pld;

import io.mutune.accountant.pld.ConnectTheDots.Core;
import io.mutune.accountant.pld.ConnectTheDots.Range;
import io.mutune.accountant.pld.Cumulants.At;
import io.mutune.accountant.pld.Cumulants.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Chooses the {@link Window} of a sum of losses for a δ or an ε, so that nobody else has to. A bad
 * choice widens an answer's interval; it cannot make it wrong.
 *
 * <p>Connecting dots at a spacing h adds no more to a loss than a Gaussian release of μ² = h²/6
 * does, so that n of them move ε by about n(1 + λ)h²/12 at the saddle point λ.
 */
final class Plan {
  /** The relative error of ε that is always worth its time, and the one that is enough. */
  private static final double GOOD = 5e-10;

  private static final double ENOUGH = 1e-8;

  /** The same where a finer grid costs little. */
  private static final double FINE = 2e-8;

  private static final double ROUGH = 3e-7;

  private static final int FINEST = 1 << 22;

  /** Of one loss. */
  private static final int MOST_CELLS = 1 << 21;

  /** So many different mechanisms are not worth the finest grid. */
  static final int MANY = 20;

  /** Compositions that few frequencies may do for. */
  private static final int LONG = 50;

  private static final int SMALLEST = 1 << 10;
  private static final int CHEAP = 1 << 19;
  private static final int LARGEST = 1 << 21;

  /** Points at the window's ends that rounding to the grid may need. */
  private static final int MARGIN = 8;

  /** ln of the share of δ that may be lost above the window, and that single losses may lose. */
  static final double SHARE = 24;

  /** So small that no other δ is planned for, and not so small that {@link #cut} is no double. */
  private static final double SMALLEST_LOG_DELTA = -670;

  /** Shares of the saddle point's λ to try, and how far e^(K − λε) may then be above δ. */
  private static final double[] TILTS = {0.75, 0.5, 0.25};

  private static final double LARGEST_EXCESS = 3;

  /** What taking small losses up may add to K. */
  private static final double NEGLIGIBLE = 1e-10;

  /** The shares of the tilted mass that are put into wider and wider cells. */
  private static final double[] COARSE = {1e-4, 1e-6, 1e-8};

  private static final int COARSER = 8;

  /** Of λ times a lattice's spacing. */
  private static final double LARGEST_STEP = 300;

  /** A tilt off the saddle point pays in accuracy; what it has to save. */
  private static final double WORTH_IT = 0.8;

  private final List<Part> parts;
  private final double count;
  private final double logDelta;

  /** The mass that each single loss may lose at its upper end. */
  private final double cut;

  private final List<Term> terms = new ArrayList<>();
  private final Cumulants cumulants;
  private final At saddle;
  private final Reach reach;

  private Plan(List<Part> parts, double logDelta) {
    this.parts = parts;
    this.count = parts.stream().mapToDouble(Part::count).sum();
    this.logDelta = logDelta;
    this.cut = Math.exp(logDelta - SHARE) / count;
    for (Part part : parts) {
      Term term = Term.of(part.loss(), part.count()).upTo(cut);
      terms.add(parts.size() > MANY ? term.thinned() : term);
    }
    this.cumulants = new Cumulants(terms, largestTilt());
    this.saddle = cumulants.withLogDelta(logDelta);
    this.reach = reach();
  }

  /** For the ε of a δ, given as ln δ without the mass of infinite losses. */
  static Plan forDelta(List<Part> parts, double logDelta) {
    return new Plan(parts, logDelta);
  }

  /** For the δ of an ε; a rare large loss counts more for the first guess than for the second. */
  static Plan forEpsilon(List<Part> parts, double epsilon) {
    Plan plan = new Plan(parts, SMALLEST_LOG_DELTA);
    for (int i = 0; i < 2; i++) {
      At tilt = plan.cumulants.withMean(epsilon);
      double log = Math.min(tilt.value() - tilt.lambda() * epsilon, tilt.logDelta());
      plan = new Plan(parts, Math.max(SMALLEST_LOG_DELTA, Math.min(0, log)));
    }
    return plan;
  }

  /**
   * Where to ask for the δ of an ε: nearer, and so for no less, where no window is planned for so
   * small a δ.
   *
   * @param of at least the smallest ε of a δ
   */
  double place(double epsilon, DoubleUnaryOperator of) {
    return logDelta > SMALLEST_LOG_DELTA
        ? epsilon
        : Math.min(epsilon, of.applyAsDouble(Math.exp(logDelta)));
  }

  /** The narrowest window of a few tilts; the saddle point's is best but for heavy tails. */
  private Reach reach() {
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
    At over = best.high() < beyond.mean() ? cumulants.withMean(best.high()) : beyond;
    return new Reach(best, over, lowest, highest, unit);
  }

  /** Where the sum is, and the spacing that errs in ε by about its size. */
  private record Reach(Span span, At over, double lowest, double highest, double unit) {}

  /** A window whose spacing is as fine as a number of points allows. */
  private Window window(int points) {
    Span best = reach.span();
    double finest = finest(best.tilt().lambda());
    double spacing = spacing(Math.max(finest, best.width() / (points - MARGIN)));
    int size = points;
    double ends = Math.min(3 * count, size / 4.0);
    double high = best.high() >= reach.highest() ? ends : 0;
    // Each release's lowest loss is taken down to the grid.
    double low = best.low() <= reach.lowest() && !hasLattice() ? Math.min(count, ends) : 0;
    while (best.width() / spacing + high + low > size - MARGIN / 2 || spacing < finest / 2) {
      if (size < FINEST && spacing >= finest / 2) {
        size *= 2;
      } else {
        spacing *= 2;
      }
    }
    // A lattice may be far wider than what was asked for.
    while (size > SMALLEST && best.width() / spacing + high + low <= size / 2 - MARGIN / 2) {
      size /= 2;
    }
    long first = (long) Math.floor(best.low() / spacing - low) - 1;
    return new Window(
        spacing,
        size,
        first,
        best.tilt().lambda(),
        reach.over().lambda(),
        best.before().lambda(),
        cut);
  }

  /** The spacing at which the widest of the losses has as many cells as one may have. */
  private double finest(double tilt) {
    double widest = 0;
    for (Term term : terms) {
      widest = Math.max(widest, term.top(cut) - term.bottom(tilt, NEGLIGIBLE));
    }
    return widest / MOST_CELLS;
  }

  /** For a transform of all of it. */
  Window window() {
    return window(size(reach.span().width() / reach.unit()));
  }

  /** For the few frequencies of a long sum; its spacing costs little. */
  Window fine() {
    return fine(parts.size() > MANY ? ROUGH : FINE);
  }

  /** The same for a first look. */
  Window rough() {
    return fine(ROUGH);
  }

  private Window fine(double error) {
    double points = reach.span().width() / (reach.unit() * Math.sqrt(error));
    int size = 1 << 16;
    while (size < points && size < FINEST) {
      size *= 2;
    }
    return window(size);
  }

  boolean isLong() {
    return count >= LONG && !isOnOneLattice();
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
    List<Core> cores = new ArrayList<>();
    for (double share : COARSE) {
      double[] low = term.bulk(window.tilt(), share);
      double[] high = term.bulk(Math.max(window.tilt(), saddle.lambda()), share);
      cores.add(new Core(Math.min(low[0], high[0]), Math.max(low[1], high[1])));
    }
    return new Range(term.bottom(window.tilt(), NEGLIGIBLE), term.top(window.cut()), cores);
  }

  /**
   * A window of the same width with a spacing that errs by {@link #ENOUGH}, as far as one may: a
   * few losses may be far wider than the window.
   */
  Window refine(Window window, double widening, double epsilon) {
    double factor = Math.sqrt(widening / (ENOUGH * epsilon));
    if (!(factor > 1.6) || hasLattice() || window.size() >= LARGEST) {
      return window;
    }
    int size = window.size();
    double spacing = window.spacing();
    double finest = finest(window.tilt());
    while (factor > 1.1 && size < LARGEST && spacing >= finest) {
      size *= 2;
      factor /= 2;
      spacing /= 2;
    }
    int scale = size / window.size();
    return window.on(spacing, size, window.first() * scale);
  }

  /** The same window with a coarser grid, for a bound at a small part of the price. */
  Window coarsen(Window window) {
    if (hasLattice() || window.size() < SMALLEST * COARSER) {
      return window;
    }
    return window.on(
        window.spacing() * COARSER,
        window.size() / COARSER,
        Math.floorDiv(window.first(), COARSER));
  }

  /** On a lattice of losses, a tilt that leaves all but e^−300 on the largest of them is enough. */
  private double largestTilt() {
    return isOnOneLattice()
        ? Math.min(Cumulants.LARGEST_TILT, LARGEST_STEP / parts.get(0).loss().lattice())
        : Cumulants.LARGEST_TILT;
  }

  private boolean isOnOneLattice() {
    return parts.stream().mapToDouble(part -> part.loss().lattice()).distinct().count() == 1
        && hasLattice();
  }

  private boolean hasLattice() {
    return parts.stream().anyMatch(part -> part.loss().lattice() > 0);
  }

  double count() {
    return count;
  }
}
