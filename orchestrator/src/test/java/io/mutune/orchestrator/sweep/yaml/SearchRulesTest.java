package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.Sweeps;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule of {@code search} and {@code train}, broken alone: one message, with its line. */
class SearchRulesTest {
  static List<Arguments> searchAndTraining() {
    return new BrokenRules()
        .linear(
            "  strategy: linear-scaling\n",
            "",
            "26: search.strategy is missing; one of scale-free, linear-scaling, random, grid,"
                + " successive-halving, random-stopping, subsampled-tuning, fixed, oracle")
        .linear(
            "learningRate: {min: 0.01, max: 10, scale: linear}",
            "learningRate: {min: 10, max: 0.01}",
            "28: search.space.learningRate.max must be at least min (10); was 0.01")
        .linear(
            "learningRate: {min: 0.01, max: 10, scale: linear}",
            "learningRate: {max: 10}",
            "28: search.space.learningRate.min is missing; a range needs min and max")
        .linear(
            "scale: linear",
            "scale: liner",
            "28: search.space.learningRate.scale must be one of log, linear; was liner; did you"
                + " mean linear?")
        .linear(
            "min: 0.01",
            "min: 1e-300",
            "28: search.space.learningRate.min must be from 1e-9 to 1e9; was 1e-300")
        .linear(
            "    steps: {min: 5, max: 200}\n",
            "",
            "28: search.space.steps is missing; give min and max")
        .linear(
            "steps: {min: 5, max: 200}",
            "steps: {min: 5, max: 2}",
            "29: search.space.steps.max must be at least min (5); was 2")
        .linear(
            "steps: {min: 5, max: 200}",
            "steps: 2.5",
            "29: search.space.steps must be a whole number from 1 to 1000000; was 2.5")
        .linear(
            "    steps: {min: 5, max: 200}\n",
            "    steps: {min: 5, max: 200}\n    radius: 3\n",
            "30: search.space.radius and learningRate say the same thing twice; was both given")
        .linear(
            "learningRate: {min: 0.01, max: 10, scale: linear}\n    steps: {min: 5, max: 200}",
            "steps: {min: 5, max: 200}",
            "28: search.space.learningRate is missing; give learningRate, radius or logitNoise")
        .of(
            Sweeps.edited(
                Sweeps.LINEAR,
                "learningRate: {min: 0.01, max: 10, scale: linear}",
                "radius: {min: 1, max: 9}"),
            "sample-steps",
            "independent",
            "34: search.decompose must be sample-steps where the space has no learningRate; was"
                + " independent")
        .linear(
            "  sweeps:\n    - {epsilon: 0.1, trials: 3}\n    - {epsilon: 0.2, trials: 3}\n",
            "",
            "26: search.sweeps is missing; list rounds of cheap trials, such as {epsilon: 0.2,"
                + " trials: 3}")
        .linear(
            "    - {epsilon: 0.1, trials: 3}\n    - {epsilon: 0.2, trials: 3}\n",
            "    {epsilon: 0.1, trials: 3}\n",
            "31: search.sweeps must be a list; was a mapping")
        .linear(
            "    - {epsilon: 0.2, trials: 3}\n",
            "",
            "31: search.sweeps must have at least 2 different epsilons for a fit of degree 1; was"
                + " 1")
        .linear(
            "epsilon: 0.2",
            "epsilon: 0.1",
            "31: search.sweeps must have at least 2 different epsilons for a fit of degree 1; was"
                + " 1")
        .linear(
            "degree: 1",
            "degree: 2",
            "31: search.sweeps must have at least 3 different epsilons for a fit of degree 2; was"
                + " 2")
        .linear(
            "degree: 1",
            "degree: 6",
            "33: search.fit.degree must be a whole number from 1 to 5; was 6")
        .linear(
            "{epsilon: 0.1, trials: 3}",
            "{epsilon: 0.1}",
            "31: search.sweeps[0].trials is missing; each sweep needs epsilon and trials")
        .linear(
            "{epsilon: 0.1, trials: 3}",
            "{epsilon: 0.1, trials: 9999}",
            "31: search.sweeps must have at most 10000 trials together; was 10002")
        .linear(
            "axis: epsilon",
            "axis: epsilom",
            "33: search.fit.axis must be one of mu, epsilon; was epsilom; did you mean epsilon?")
        .linear(
            "  score: {on: validation}\n",
            "",
            "26: search.score is missing; write {on: validation} for public rows or {on: private,"
                + " epsilon: 0.02}")
        .linear("{on: validation}", "{}", "36: search.score.on is missing; validation or private")
        .linear(
            "{on: validation}",
            "{on: private}",
            "36: search.score.epsilon is missing; a score of private rows is charged: say how much"
                + " it may cost")
        .linear(
            "{on: validation}",
            "{on: private, epsilon: 0.02, uncharged: true}",
            "36: search.score.epsilon is what a charged score costs, and uncharged is given;"
                + " was given")
        .scaleFree(
            "{on: private, epsilon: 0.02}",
            "{on: private, epsilon: 0.02, test: confusoin}",
            "10: search.score.test must be one of accuracy, confusion, probabilities,"
                + " squared-error; was confusoin; did you mean confusion?")
        .scaleFree(
            "{on: private, epsilon: 0.02}",
            "{on: private, epsilon: 0.02, test: confusion}",
            "10: search.score.test is for private test rows; of public ones every figure is free:"
                + " leave it out; was confusion")
        .scaleFree(
            "{on: private, epsilon: 0.02}",
            "{on: validation}",
            "10: search.score.on needs data.validation; was validation")
        .scaleFree(
            "  sweeps:\n    - {epsilon: 0.2, trials: 3}\n",
            "  sweeps: []\n",
            "8: search.sweeps must have at least one entry; was empty")
        .scaleFree(
            "  sweeps:",
            "  degree: 1\n  sweeps:",
            "8: search.degree is not a known key; known here: strategy, sweeps, space, score,"
                + " metric")
        .fixed(
            "steps: 40}\n",
            "steps: 40}\n  score: {on: private, epsilon: 0.1}\n",
            "10: search.score is for strategies with trials; fixed has none; was given")
        .fixed(
            "learningRate: 2.5",
            "learningRate: {min: 1, max: 2}",
            "9: search.space.learningRate must be a number; was a mapping")
        .linear(
            "method: noisy-gd",
            "method: noisy-sgd",
            "38: train.method must be one of noisy-gd, fully-private, adamix, dp-sgd, dp-adam,"
                + " dp-adam-wosm, sgd-adv, only-public, not-private,"
                + " ppsgd, ppgd, agd, output-perturbation,"
                + " objective-perturbation, pnsgd, pate, dp-zo, external; was"
                + " noisy-sgd; did you mean noisy-gd?")
        .linear(
            "classes: [no, yes]",
            "classes: 3",
            "39: train.loss logistic needs 2 classes; was 3 classes")
        .linear(
            "classes: [no, yes]",
            "target: {min: 0, max: 9}",
            "39: train.loss must be squared where targets are real; was logistic")
        .linear(
            "loss: logistic",
            "loss: hinge\n  huberWidth: 0.5",
            "40: train.huberWidth is for huber-hinge only; was given with hinge")
        .linear(
            "loss: logistic",
            "loss: squared\n  predictionBound: 0.5",
            "40: train.predictionBound must be from 1 to 1e6; was 0.5")
        .linear(
            "clipNorm: 0.5",
            "clipNorm: 1e-40",
            "40: train.clipNorm must be from 1e-30 to 1e30; was 1e-40")
        .linear(
            "momentum: 0.8",
            "momentum: 1",
            "41: train.momentum must be at least 0 and below 1; was 1")
        .linear(
            "freeStep: false",
            "freeStep: \"false\"",
            "42: train.freeStep must be true or false; was \"false\"")
        .all;
  }

  @ParameterizedTest
  @MethodSource("searchAndTraining")
  void brokenAlone_isNamedWithLineRuleAndValue(String text, String message) {
    assertThat(Sweeps.problems(text)).containsExactly(message);
  }
}
