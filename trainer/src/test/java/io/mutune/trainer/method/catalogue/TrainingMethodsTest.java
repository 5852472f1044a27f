package io.mutune.trainer.method.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.budget.Adaptation;
import io.mutune.trainer.method.budget.Agd;
import io.mutune.trainer.method.budget.ClassicConformanceTest;
import io.mutune.trainer.method.budget.ClassicMethods;
import io.mutune.trainer.method.budget.ObjectivePerturbation;
import io.mutune.trainer.method.budget.OutputPerturbation;
import io.mutune.trainer.method.budget.Pate;
import io.mutune.trainer.method.budget.Pnsgd;
import io.mutune.trainer.method.budget.Ppgd;
import io.mutune.trainer.method.budget.Ppsgd;
import io.mutune.trainer.method.descent.AdaMix;
import io.mutune.trainer.method.descent.DpAdam;
import io.mutune.trainer.method.descent.DpAdamWosm;
import io.mutune.trainer.method.descent.DpSgd;
import io.mutune.trainer.method.descent.DpZo;
import io.mutune.trainer.method.descent.External;
import io.mutune.trainer.method.descent.MethodCase;
import io.mutune.trainer.method.descent.MethodCases;
import io.mutune.trainer.method.descent.NoisyGd;
import io.mutune.trainer.method.descent.NoisyGradient;
import io.mutune.trainer.method.descent.Restraint;
import io.mutune.trainer.method.descent.SgdAdv;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What methods say of themselves: a new one gets its line here. */
class TrainingMethodsTest {
  private static final ClipNorm CLIP = ClipNorm.of(0.8);
  private static final Adaptation ADAPTATION =
      ClassicMethods.adaptation(2.1e-4 / 0.02, Optional.empty());
  private static final Start.FromPublicRows OPEN = new Start.FromPublicRows(0, 1e-3, 10);
  private static final TrainerCommand PROGRAM =
      new TrainerCommand(
          Optional.empty(), List.of("program"), Path.of("."), Map.of(), Duration.ZERO);

  static Stream<TrainingMethod> methods() {
    NoisyGradient all = NoisyGradient.ofAllRows(CLIP);
    NoisyGradient sample = NoisyGradient.ofSamples(CLIP, 0.3);
    return Stream.of(
        new NoisyGd(CLIP, 0.9, true),
        new NoisyGd("fully-private", all, 0.9, true, Restraint.NONE, Start.zero()),
        new AdaMix(MethodCases.quantile(), 0, OptionalInt.empty(), true, 0.01, Start.zero()),
        new DpSgd(sample, 0.9, true, Start.zero()),
        DpAdam.of(sample),
        new DpAdamWosm(sample, Start.zero()),
        new SgdAdv(sample, 0.1),
        new DpZo(CLIP, 0.01, 77, Start.zero()),
        new External(PROGRAM, sample, true, 0.9, Map.of()),
        new Ppsgd(ADAPTATION, 15),
        new Ppgd(ADAPTATION),
        new Agd(0.04, 0.02, 0.5, CLIP, 3, 10, 1, 0.1, 3, 0.01),
        new OutputPerturbation(0.05, OptionalDouble.empty(), true),
        new ObjectivePerturbation(0.05, OptionalDouble.empty()),
        new Pnsgd(0.5, 0.1, 2, ClassicMethods.SHOWN),
        new Pate(12, 8, 1.5, 10, ClassicMethods.SHOWN, 0.01),
        new UnchargedTraining(true, OPEN),
        new UnchargedTraining(false, OPEN));
  }

  static Stream<TrainingMethod> charged() {
    return methods().filter(TrainingMethod::isCharged);
  }

  @Test
  void everyMethod_isInTheListAndHere() {
    assertThat(methods().map(TrainingMethod::name))
        .containsExactlyElementsOf(TrainingMethods.names());
    for (String name : TrainingMethods.names()) {
      assertThat(TrainingMethods.ofName(name).name()).isEqualTo(name);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> TrainingMethods.ofName("oracle"));
  }

  @Test
  void sumsOnMachines_areThoseThatAClusterAddsUp() {
    assertThat(methods().filter(TrainingMethod::sumsOnMachines).map(TrainingMethod::name))
        .containsExactly(
            "noisy-gd",
            "fully-private",
            "adamix",
            "dp-sgd",
            "dp-adam",
            "dp-adam-wosm",
            "sgd-adv",
            "ppgd",
            "agd");
  }

  /**
   * The conformance tests' cases begin with the class that they are of. A trainer that is a process
   * has {@code ExternalTrainingTest} in their place.
   */
  @Test
  void everyChargedMethod_hasAConformanceCase() {
    Set<String> cases =
        Stream.concat(
                MethodCases.all().stream().map(MethodCase::name),
                ClassicConformanceTest.all().map(Named::getName))
            .map(name -> name.replaceFirst(" .*", ""))
            .collect(Collectors.toSet());
    cases.add(External.class.getSimpleName());
    assertThat(charged().map(method -> method.getClass().getSimpleName()).toList())
        .isSubsetOf(cases);
  }

  /** What a plan charges is what the run asks for. */
  @ParameterizedTest
  @MethodSource("charged")
  void whatIsCharged_isWhatTheRunDeclares(TrainingMethod method) {
    Adjacency adjacency =
        method.needs(Need.REPLACE_ONE) ? Adjacency.REPLACE_ONE : Adjacency.ADD_REMOVE;
    Problem problem = ClassicMethods.problem(ClassicMethods.LOGISTIC, adjacency);
    Run run = Fixture.run(0.1, 7, 5);
    PublicInputs inputs =
        method.needs(Need.PUBLIC_ROWS) ? ClassicMethods.shown() : PublicInputs.NONE;

    Training training = method.training(problem, run, inputs);

    assertThat(training.mechanism()).isEqualTo(method.mechanism(run.sigma(), problem, 7));
    // Without a μ a plan in shares of it cannot be made.
    assertThat(training.mechanism().mu().isPresent() || method.needs(Need.FIXED_PLAN)).isTrue();
    assertThat(method.chargedAsOne()).isEqualTo(method.searched() == Searched.NOTHING);
    assertThat(training.grid()).isEmpty();
  }

  /**
   * μ = 1/σ, ρ = 1/(2σ²) and ε = 1/σ for σ = 5 at ε = 1 and δ = 1e-5, by hand. PPSGD's ω is √(L/ρ₀)
   * + 1 with √ρ₀ = √(L + 1) − √L and L = ln 1e5. PNSGD's σ is that of its steps, 40 of them last.
   * What is rounded toward more privacy or more cost is off by some 1e-12.
   */
  @ParameterizedTest
  @CsvSource({
    "ppsgd, rho, 0.02",
    "ppsgd, omega, 24.5154409607707",
    "ppgd, sensitivity, 0.2",
    "agd, rho, 0.02",
    "output-perturbation, epsilon, 0.2",
    "objective-perturbation, epsilon, 0.2",
    "objective-perturbation, delta, 1e-5",
    "pnsgd, rho, 0.00195121951219512",
    "pate, sensitivity, 0.2"
  })
  void aBudgetOfItsOwn_followsFromSigma(String name, String figure, double expected) {
    TrainingMethod method =
        methods().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    Problem problem = ClassicMethods.problem(ClassicMethods.LOGISTIC, Adjacency.REPLACE_ONE);

    Map<String, Number> charged = method.mechanism(NoiseMultiplier.of(5), problem, 1).parameters();

    double found = Objects.requireNonNull(charged.get(figure)).doubleValue();
    assertThat(found).isCloseTo(expected, withinPercentage(1e-8));
  }

  /** Every number that a search may choose is the method's own setting and is taken. */
  @ParameterizedTest
  @MethodSource("charged")
  void whatASearchMayChoose_isTaken(TrainingMethod method) {
    Map<String, Double> chosen = new HashMap<>();
    method.searchable().forEach(key -> chosen.put(key, 0.25));
    assertThat(method.searchable())
        .allSatisfy(
            key ->
                assertThat(TrainingMethods.ofName(method.name()).settings())
                    .anySatisfy(setting -> assertThat(setting.key()).isEqualTo(key)));
    if (!chosen.isEmpty()) {
      assertThat(method.with(chosen)).isNotEqualTo(method).hasSameClassAs(method);
      assertThat(method.with(chosen).with(chosen)).isEqualTo(method.with(chosen));
    }
    assertThat(method.with(Map.of())).isEqualTo(method);
  }

  @Test
  void whatIsNotCharged_hasNoMechanismAndSaysHowItTrains() {
    Problem problem = ClassicMethods.problem(ClassicMethods.LOGISTIC, Adjacency.ADD_REMOVE);
    assertThat(methods().filter(method -> !method.isCharged()))
        .hasSize(2)
        .allSatisfy(
            method ->
                assertThat(method.unprotected(problem).loss()).isEqualTo(ClassicMethods.LOGISTIC));
  }
}
