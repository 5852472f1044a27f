package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.sweep.Classic;
import io.mutune.orchestrator.sweep.MethodDefinition;
import io.mutune.orchestrator.sweep.OpenTraining;
import io.mutune.orchestrator.sweep.StartRule;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.orchestrator.sweep.Tuned;
import io.mutune.trainer.model.HingeLoss;
import java.util.Optional;

/** What a training method needs of the rest of a sweep, known before anything is charged. */
final class MethodLimits {
  private static final String FIXED = "fixed";

  private MethodLimits() {}

  /** What training reads beside the private rows has to suit them before anything is charged. */
  static void checkPublicInputs(YamlSection data, DataReader dataReader, TrainDefinition train) {
    MethodDefinition method = train.method();
    boolean given = data.has("public");
    if (method.usesPublicRows() && !given) {
      data.missing("public", method.name() + " trains on labelled public rows too");
    } else if (!method.usesPublicRows() && given) {
      data.broken("public", "is not used by " + method.name() + "; leave it out", "given");
    }
    if (method.usesPublicRows() && dataReader.classCount().filter(c -> c == 0).isPresent()) {
      data.broken("private", "must have classes for " + method.name(), "real targets");
    }
    boolean compared = method.usesPublicRows() || method.start() instanceof StartRule.FromFile;
    if (compared && data.isMapping("private") && dataReader.featureCount().isEmpty()) {
      data.broken(
          "private",
          "must state features, the number of columns: what "
              + method.name()
              + " starts from is compared with it before anything is charged",
          "without features");
    }
  }

  /** What a classic method's guarantee needs, known before anything is charged. */
  static void checkClassic(
      YamlSection root, TrainDefinition train, Budget budget, Optional<Integer> classes) {
    if (!(train.method() instanceof Classic method)) {
      return;
    }
    if (method.replaceOneOnly() && budget.adjacency() != Adjacency.REPLACE_ONE) {
      root.broken(
          "budget",
          "must have adjacency: replace-one for "
              + method.name()
              + ", which has no other guarantee",
          budget.adjacency().key());
    }
    String loss = train.loss().key();
    if (method.needsSmoothLoss() && train.loss() instanceof HingeLoss) {
      root.broken(
          "train",
          "must not have the loss hinge, whose slope jumps, with "
              + method.name()
              + "; take huber-hinge",
          loss);
    }
    if (method.needsOneLogit()
        && classes.filter(count -> train.loss().columns(count) != 1).isPresent()) {
      root.broken("train", "must have a loss of one logit with " + method.name(), loss);
    }
  }

  /** What has no μ is planned to the last digit; what has no radius is searched by its rate. */
  static void suit(YamlSection search, SearchStrategy strategy, MethodDefinition method) {
    if (method.needsFixedPlan() && strategy.fixedSteps().isEmpty()) {
      search.broken(
          "space",
          "must have one number of steps with "
              + method.name()
              + ": its charges have no mu, so the whole plan is fixed before any data is read",
          "a range of steps");
    }
    if (method.needsFixedPlan() && strategy instanceof SecretTrials) {
      search.broken(
          "strategy",
          "must not be "
              + strategy.name()
              + " with "
              + method.name()
              + ": a run and its score are charged as one Gaussian mechanism",
          strategy.name());
    }
    if (!method.tuned().hasRate() && !strategy.name().equals(FIXED)) {
      search.broken(
          "strategy",
          "must be fixed with " + method.name() + ", which has no learning rate to look for");
    } else if (method.tuned() == Tuned.NOTHING && search.has("space")) {
      search.broken(
          "space", "must be left out with " + method.name() + ", whose settings are in train");
    } else if (method.tuned() == Tuned.LEARNING_RATE && strategy.searchesLogitNoise()) {
      search.broken(
          "strategy",
          "must look for a learningRate or radius with "
              + method.name()
              + ", whose noise in a logit is not known beforehand",
          strategy.name() + " over logitNoise");
    }
  }

  /** A method that is not charged would be left with a charge beside it that says otherwise. */
  static void refuseIdleMean(MethodDefinition method, FeaturesReader.Features features) {
    if (!method.isCharged()) {
      features
          .mean()
          .ifPresent(
              mean ->
                  mean.section()
                      .broken(
                          "type", "must not be there with " + method.name() + ": it is charged"));
    }
  }

  /** The paragon reads the training rows as public ones are read. */
  static void checkOpenness(YamlSection root, TrainDefinition train, DataReader data) {
    if (train.method() instanceof OpenTraining open
        && !open.onPublicRows()
        && !data.declared().isOpen()) {
      root.broken(
          "train",
          "must not have the method not-private where data.private is declared private: it is not"
              + " charged. Declare the rows public or simulated, if they are, or take another"
              + " method",
          open.name());
    }
  }
}
