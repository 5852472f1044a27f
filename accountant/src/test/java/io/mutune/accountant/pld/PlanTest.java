package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.pld.ConnectTheDots.Core;
import io.mutune.accountant.pld.ConnectTheDots.Range;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Windows that hold the answer, on grids that fit into memory. No guarantee rests on them. */
class PlanTest {
  /** 2²² doubles, the most that any array of a question has. */
  private static final int MOST = 1 << 22;

  record Question(List<Part> parts, double logDelta) {}

  /** Anything from one large loss to a thousand million tiny ones, at any δ. */
  static Stream<Question> questions() {
    Random random = new Random(21);
    return IntStream.range(0, 60)
        .mapToObj(
            i -> {
              double size = Math.pow(10, -5 + 6.5 * random.nextDouble());
              double q = Math.pow(10, -4 * random.nextDouble()) * 0.99;
              PrivacyLoss loss =
                  switch (i % 5) {
                    case 0 -> new PoissonSubsampledLoss(new GaussianLoss(size), q);
                    case 1 -> new PoissonSubsampledLoss(new GaussianLoss(size), q).reversed();
                    case 2 -> new ReplaceOneLoss(1 / size, q);
                    case 3 -> new LaplaceLoss(size);
                    default -> new RandomisedResponseLoss(size, 0);
                  };
              long count = Math.round(Math.pow(10, 9 * random.nextDouble()));
              Part first = new Part(loss, count);
              Part second = new Part(new GaussianLoss(size), 1);
              return new Question(
                  i % 2 == 0 ? List.of(first) : List.of(first, second),
                  -0.7 - 300 * Math.pow(random.nextDouble(), 3));
            });
  }

  @ParameterizedTest
  @MethodSource("questions")
  void windowsAndMeasures_fitIntoMemory(Question question) {
    Plan plan = Plan.forDelta(question.parts, question.logDelta);
    for (Window window : List.of(plan.window(), plan.fine(), plan.rough())) {
      assertThat(window.size()).isBetween(1 << 10, MOST);
      assertThat(Integer.bitCount(window.size())).isEqualTo(1);
      assertThat(window.spacing()).isPositive().isFinite();
      assertThat(window.tilt()).isNotNegative();
      assertThat(window.beyond()).isGreaterThanOrEqualTo(0);
      assertThat(window.before()).isLessThanOrEqualTo(window.tilt());
      for (int i = 0; i < question.parts.size(); i++) {
        Range range = plan.range(i, window);
        assertThat(range.bottom()).isLessThanOrEqualTo(range.top());
        assertThat((range.top() - range.bottom()) / window.spacing()).isLessThan(2.0 * MOST);
        for (Core core : range.cores()) {
          assertThat(core.from()).isLessThanOrEqualTo(core.to());
        }
      }
    }
  }

  /** Less mass in a wider core's complement: each core holds the one before. */
  @ParameterizedTest
  @MethodSource("questions")
  void cores_areOneInTheOther(Question question) {
    Plan plan = Plan.forDelta(question.parts, question.logDelta);
    Range range = plan.range(0, plan.window());
    for (int i = 1; i < range.cores().size(); i++) {
      Core inner = range.cores().get(i - 1);
      Core outer = range.cores().get(i);
      assertThat(outer.from()).isLessThanOrEqualTo(inner.from());
      assertThat(outer.to()).isGreaterThanOrEqualTo(inner.to());
    }
  }

  @ParameterizedTest
  @MethodSource("questions")
  void spacings_areShortFloatsOrPartsOfTheLattice(Question question) {
    Window window = Plan.forDelta(question.parts, question.logDelta).window();
    double lattice = question.parts.get(0).loss().lattice();
    if (lattice > 0) {
      double parts = lattice / window.spacing();
      // A lattice's step, or twice that some times over, or a whole part of it.
      double whole = parts >= 1 ? parts : 1 / parts;
      assertThat(whole).isCloseTo(Math.rint(whole), within(1e-9 * whole));
    } else {
      assertThat((double) (float) window.spacing()).isEqualTo(window.spacing());
    }
  }

  @Test
  void theAnswerIsInTheWindow() {
    for (double mu : new double[] {0.1, 1, 6}) {
      for (double delta : new double[] {0.3, 1e-5, 1e-40}) {
        double epsilon = GaussianDp.of(Mu.of(mu)).epsilon(Delta.of(delta)).value();
        List<Part> parts = List.of(new Part(new GaussianLoss(mu / 10), 100));
        for (Window window :
            List.of(
                Plan.forDelta(parts, Math.log(delta)).window(),
                Plan.forEpsilon(parts, epsilon).window())) {
          assertThat(epsilon).isBetween(window.lowest(), window.highest());
        }
      }
    }
  }

  @Test
  void onlyLongSumsOffALattice_areWorthFewFrequencies() {
    PrivacyLoss gaussian = new GaussianLoss(0.1);
    PrivacyLoss response = new RandomisedResponseLoss(0.1, 0);
    assertThat(plan(gaussian, 50).isLong()).isTrue();
    assertThat(plan(gaussian, 49).isLong()).isFalse();
    assertThat(plan(response, 5000).isLong()).isFalse();
    assertThat(plan(response, 50).count()).isEqualTo(50);
  }

  private static Plan plan(PrivacyLoss loss, long count) {
    return Plan.forDelta(List.of(new Part(loss, count)), Math.log(1e-5));
  }

  @Test
  void aCoarserWindow_coversTheSameLosses() {
    Plan plan = plan(new GaussianLoss(0.5), 10);
    Window window = plan.window();
    Window coarse = plan.coarsen(window);
    assertThat(coarse.spacing()).isEqualTo(8 * window.spacing());
    assertThat(coarse.size()).isEqualTo(window.size() / 8);
    assertThat(coarse.lowest()).isBetween(window.lowest() - coarse.spacing(), window.lowest());
    assertThat(coarse.tilt()).isEqualTo(window.tilt());
    Plan onLattice = plan(new RandomisedResponseLoss(0.5, 0), 10);
    assertThat(onLattice.coarsen(onLattice.window())).isEqualTo(onLattice.window());
  }

  /** A widening of r times what is enough is met by a spacing of its root. */
  @Test
  void aWindow_isRefinedByWhatItsWideningAsksFor() {
    Plan plan = plan(new GaussianLoss(0.5), 10);
    Window window = plan.coarsen(plan.window());
    assertThat(plan.refine(window, 1e-8, 1)).isEqualTo(window);
    Window finer = plan.refine(window, 16e-8, 1);
    assertThat(finer.spacing()).isEqualTo(window.spacing() / 4);
    assertThat(finer.size()).isEqualTo(4 * window.size());
    assertThat(finer.lowest()).isEqualTo(window.lowest());
    assertThat(plan.refine(window, 1e9, 1).size()).isLessThanOrEqualTo(1 << 21);
    assertThat(plan.refine(window, Double.NaN, 1)).isEqualTo(window);
  }

  /** Whatever is asked for: here a single loss is far wider than the window. */
  @Test
  void aRefinedWindow_stillHasItsLossesInMemory() {
    for (double mu : new double[] {1e2, 1e4, 1e6}) {
      PrivacyLoss loss = new PoissonSubsampledLoss(new GaussianLoss(mu), 0.5);
      Plan plan = plan(loss, 2);
      Window finer = plan.refine(plan.window(), 1e300, 1);
      Range range = plan.range(0, finer);
      assertThat((range.top() - range.bottom()) / finer.spacing()).isLessThan(2.0 * MOST);
      assertThat(finer.size() * finer.spacing())
          .isEqualTo(plan.window().size() * plan.window().spacing());
    }
  }
}
