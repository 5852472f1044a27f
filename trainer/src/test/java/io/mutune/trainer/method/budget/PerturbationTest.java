package io.mutune.trainer.method.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.HuberHingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.loss.SquaredLoss;
import io.mutune.trainer.method.BinaryProblem;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.SilentNoise;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.SeededNoise;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.util.MathArrays;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Output and objective perturbation: how near the solver comes, and what the releases cost. */
class PerturbationTest {
  private static final PrivateRows ROWS = BinaryProblem.privateRows((int) ClassicMethods.ROWS);
  private static final int P = BinaryProblem.FEATURES;
  private static final SeededNoise NOISE = new SeededNoise(1);

  /** Plain gradient descent, 20000 times, is within 1e-12 of the minimum: κ is 21. */
  @Test
  void theSolver_stopsWithinItsDistanceOfTheMinimum() {
    PrivateRows bounded = BoundedRows.of(ROWS);
    double lambda = 15;
    double[] linear = {3, -40, 0.5, 7};
    for (Loss loss :
        List.of(new LogisticLoss(), new HuberHingeLoss(0.5), new SquaredLoss(2, false))) {
      double[] exact = new double[P];
      RowGradient row = new RowGradient(loss, 2);
      var block = bounded.blocks().blocks().get(0);
      double[] one = new double[P];
      for (int step = 0; step < 20_000; step++) {
        double[] g = linear.clone();
        for (int i = 0; i < block.rows(); i++) {
          row.compute(block.features(), i * P, block.labels()[i], exact, one);
          for (int j = 0; j < P; j++) {
            g[j] += one[j];
          }
        }
        for (int j = 0; j < P; j++) {
          exact[j] -= (g[j] + lambda * exact[j]) / 320;
        }
      }
      for (double distance : new double[] {1e-1, 1e-3, 1e-6, 1e-9}) {
        double[] w =
            new RegularisedMinimum(loss, 2, lambda, distance).of(bounded, linear, () -> {});
        assertThat(MathArrays.distance(w, exact)).isLessThanOrEqualTo(distance);
      }
    }
  }

  /** One row of norm 1 against the others, which pull the other way or nowhere. */
  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void neighbouringMinima_areNoFurtherApartThanTheSensitivity(Adjacency adjacency) {
    OutputPerturbation.Perturbed method = ClassicMethods.outputPerturbation(adjacency);
    boolean replaced = adjacency == Adjacency.REPLACE_ONE;
    PrivateRows zeros = Fixture.zeroRows(20, P);
    double greatest = 0;
    for (PrivateRows rows : List.of(ROWS, zeros)) {
      for (int label = 0; label < 2; label++) {
        PrivateRows one = BinaryProblem.changed(rows, replaced, BinaryProblem.longRow(1e6f), label);
        PrivateRows other =
            replaced
                ? BinaryProblem.changed(rows, true, BinaryProblem.longRow(1e6f), 1 - label)
                : rows;
        double[] a = BinaryProblem.model(method, one, new SilentNoise(1));
        double[] b = BinaryProblem.model(method, other, new SilentNoise(1));
        greatest = Math.max(greatest, MathArrays.distance(a, b));
      }
    }
    // Among zero rows the bound is nearly reached: the slope is 1 at the margin that 1/(λN) makes.
    assertThat(greatest).isBetween(0.85 * method.sensitivity(), method.sensitivity());
  }

  /** χ² of the noise over 500 runs. Fails by chance 2e-10 of the time. */
  @Test
  void theNormalNoiseThatIsCharged_isInTheModel() {
    OutputPerturbation.Perturbed method = ClassicMethods.outputPerturbation(Adjacency.REPLACE_ONE);
    double[] quiet = BinaryProblem.model(method, ROWS, new SilentNoise(1));
    double deviation = 2 * method.sensitivity();
    double squares = 0;
    for (int i = 0; i < 500; i++) {
      double apart =
          MathArrays.distance(BinaryProblem.model(method, ROWS, new SecureNoise()), quiet);
      squares += apart / deviation * (apart / deviation);
    }
    ChiSquaredDistribution law = ChiSquaredDistribution.of(500.0 * P);
    assertThat(squares)
        .isBetween(law.inverseCumulativeProbability(1e-10), law.inverseSurvivalProbability(1e-10));
    assertThat(method.mechanism()).isEqualTo(new Gaussian(NoiseMultiplier.of(2), 1, 1));
    // 2·1/(0.05·300) + 2·1e-4, worked by hand.
    assertThat(method.sensitivity()).isCloseTo(2 / 15.0 + 2e-4, within(1e-9));
  }

  /**
   * ‖η‖·ε/Δ is a gamma variable of shape d; the greatest gap between its law and that of 2000 draws
   * passes √(ln(2/1e-10)/4000) once in 1e10 times (Dvoretzky, Kiefer, Wolfowitz and Massart).
   */
  @Test
  void theExponentialNoise_hasTheLawOfItsDensity() {
    OutputPerturbation.Perturbed method =
        ClassicMethods.outputPerturbation(Adjacency.ADD_REMOVE, true, 2);
    PrivateRows rows = BinaryProblem.privateRows(3);
    double[] quiet = quiet(rows);
    int draws = 2000;
    double[] radii = new double[draws];
    int positive = 0;
    for (int i = 0; i < draws; i++) {
      double[] noisy = BinaryProblem.model(method, rows, new SecureNoise());
      radii[i] = MathArrays.distance(noisy, quiet) * 0.5 / method.sensitivity();
      positive += noisy[0] > quiet[0] ? 1 : 0;
    }
    Arrays.sort(radii);
    GammaDistribution law = GammaDistribution.of(P, 1);
    double gap = 0;
    for (int i = 0; i < draws; i++) {
      double below = law.cumulativeProbability(radii[i]);
      gap = Math.max(gap, Math.max(below - (double) i / draws, (i + 1.0) / draws - below));
    }
    assertThat(gap).isLessThan(Math.sqrt(Math.log(2e10) / (2 * draws)));
    // 6.5 standard deviations of a fair coin.
    assertThat(positive).isBetween(855, 1145);
    assertThat(method.mechanism()).isEqualTo(new PureDp(Epsilon.of(0.5), 1));
  }

  /** The minimum without noise: noise is added to it last. */
  private static double[] quiet(PrivateRows rows) {
    OutputPerturbation.Perturbed normal = ClassicMethods.outputPerturbation(Adjacency.ADD_REMOVE);
    return BinaryProblem.model(normal, rows, new SilentNoise(1));
  }

  /**
   * In one dimension the density of the minimum is known: φ(b(w)/σ)/σ·J''(w) with b = −J'. Its
   * hockey-stick divergence between neighbours, by the midpoint rule, is what the charge bounds.
   */
  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void theMinimumsDensity_keepsTheChargeInOneDimension(Adjacency adjacency) {
    double[][] cases = {{1, 1, 1e-3}, {10, 0.1, 1e-2}, {100, 0.05, 0.05}};
    for (double[] one : cases) {
      double lambda = one[0];
      Budget budget = new Budget(Epsilon.of(one[1]), Delta.of(one[2]), adjacency);
      ObjectivePerturbation.Perturbed method =
          new ObjectivePerturbation(lambda / ClassicMethods.ROWS, OptionalDouble.of(1e-4))
              .training(
                  new Problem(ClassicMethods.LOGISTIC, 2, budget, ClassicMethods.ROWS),
                  Fixture.run(1, 1, 1 / one[1]),
                  PublicInputs.NONE);
      double sigma = method.linearDeviation;
      // Five rows x = 1 of class 1; the neighbour has one more, or one of them in class 0.
      DoubleUnaryOperator p = density(5, 0, lambda, sigma);
      DoubleUnaryOperator q =
          adjacency == Adjacency.ADD_REMOVE
              ? density(6, 0, lambda, sigma)
              : density(4, 1, lambda, sigma);
      double epsilon = (1 - ObjectivePerturbation.SHARE) * one[1];
      double delta = (1 - ObjectivePerturbation.SHARE) * one[2];
      double span = 14 * sigma / lambda + 10 / lambda;
      double greater = Math.max(divergence(p, q, epsilon, span), divergence(q, p, epsilon, span));
      assertThat(greater).isLessThanOrEqualTo(delta);
      if (adjacency == Adjacency.ADD_REMOVE && lambda >= 10) {
        // The bound counts both tails and the greatest slope; replacement in one dimension moves
        // the slope by 1, not 2, and a small weight decay makes the determinant's part loose.
        assertThat(greater).isGreaterThan(delta / 10);
      }
    }
  }

  private static DoubleUnaryOperator density(
      int positive, int negative, double lambda, double sigma) {
    return w -> {
      double s = 1 / (1 + Math.exp(-w));
      double b = positive * (1 - s) - negative * s - lambda * w;
      double slope = (positive + negative) * s * (1 - s) + lambda;
      return Math.exp(-b * b / (2 * sigma * sigma)) / (sigma * Math.sqrt(2 * Math.PI)) * slope;
    };
  }

  private static double divergence(
      DoubleUnaryOperator p, DoubleUnaryOperator q, double epsilon, double span) {
    int pieces = 400_000;
    double width = 2 * span / pieces;
    double sum = 0;
    double mass = 0;
    for (int i = 0; i < pieces; i++) {
      double w = -span + (i + 0.5) * width;
      mass += p.applyAsDouble(w) * width;
      sum += Math.max(0, p.applyAsDouble(w) - Math.exp(epsilon) * q.applyAsDouble(w)) * width;
    }
    assertThat(mass).isCloseTo(1, within(1e-6));
    return sum;
  }

  /** Released = argmin with the same b, by plain descent, plus the second noise. */
  @Test
  void shorterRows_areMadeAnewAtEachPass_soThatNoneAreKept() {
    List<RowBlocks.Block> bounded = BoundedRows.of(ROWS).blocks().blocks();
    assertThat(bounded.get(0).features()).isEqualTo(bounded.get(0).features());
    assertThat(bounded.get(0).features()).isNotSameAs(bounded.get(0).features());
  }

  @Test
  void objectivePerturbation_minimisesWithItsLinearTerm() {
    ObjectivePerturbation.Perturbed method =
        ClassicMethods.objectivePerturbation(Adjacency.ADD_REMOVE);
    var stream = new SeededNoise(8).stream(Fixture.STREAMS.step(1));
    double[] b = new double[P];
    stream.addTo(b, method.linearDeviation);
    double[] w = new double[P];
    double[] one = new double[P];
    var block = BoundedRows.of(ROWS).blocks().blocks().get(0);
    RowGradient row = new RowGradient(ClassicMethods.LOGISTIC, 2);
    for (int step = 0; step < 5000; step++) {
      double[] g = b.clone();
      for (int i = 0; i < block.rows(); i++) {
        row.compute(block.features(), i * P, block.labels()[i], w, one);
        for (int j = 0; j < P; j++) {
          g[j] += one[j];
        }
      }
      for (int j = 0; j < P; j++) {
        w[j] -= (g[j] + 15 * w[j]) / 90;
      }
    }
    stream.addTo(w, method.outputDeviation);
    // The solver's own distance.
    assertThat(MathArrays.distance(BinaryProblem.model(method, ROWS, new SeededNoise(8)), w))
        .isLessThanOrEqualTo(1e-5);
    assertThat(method.mechanism()).isEqualTo(new ApproximateDp(Epsilon.of(1), Delta.of(1e-4), 1));
  }

  @Test
  void whatHasNoProof_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new OutputPerturbation(0.1, OptionalDouble.of(1e-4), false)
                    .training(
                        Fixture.problem(new HingeLoss(), 2, Adjacency.ADD_REMOVE, 100),
                        Fixture.run(1, 1, 1),
                        PublicInputs.NONE))
        .withMessageContaining("whose slope does not jump; was 'hinge'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> objective(1, 0.1, new SoftmaxLoss(), 3))
        .withMessageContaining("needs a loss of one logit; was 'softmax' for 3 classes");
    // ln(1 + 0.25/0.1) = 1.25 by itself.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> objective(1, 0.001, new LogisticLoss(), 2))
        .withMessageContaining("leaves none of 1.0");
  }

  /** Rows of a million features lose more digits; what a width makes too small is known with it. */
  @Test
  void aDistanceThatOnlyTheWidthMakesTooSmall_isRefusedWhereTheWidthIsKnown() {
    Problem problem = Fixture.problem(new LogisticLoss(), 2, Adjacency.ADD_REMOVE, 100);
    NoiseMultiplier sigma = NoiseMultiplier.of(1);
    OptionalDouble distance = OptionalDouble.of(2e-6);
    for (TrainingMethod method :
        List.of(
            new OutputPerturbation(0.1, distance, false),
            new ObjectivePerturbation(0.1, distance))) {
      assertThat(method.whyNoRun(sigma, problem, OptionalInt.empty())).isEmpty();
      assertThat(method.whyNoRun(sigma, problem, OptionalInt.of(10))).isEmpty();
      assertThat(method.whyNoRun(sigma, problem, OptionalInt.of(1_000_000)).orElseThrow())
          .startsWith("solverDistance must be at least ");
      Training run = method.training(problem, Fixture.run(1, 1, 1), PublicInputs.NONE);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BinaryProblem.model(run, Fixture.zeroRows(1, 1_000_000), NOISE))
          .withMessageStartingWith("solverDistance must be at least ");
    }
  }

  private static Training objective(double epsilon, double weightDecay, Loss loss, int classes) {
    return new ObjectivePerturbation(weightDecay, OptionalDouble.of(1e-2))
        .training(
            Fixture.problem(loss, classes, Adjacency.ADD_REMOVE, 100),
            Fixture.run(1, 1, 1 / epsilon),
            PublicInputs.NONE);
  }
}
