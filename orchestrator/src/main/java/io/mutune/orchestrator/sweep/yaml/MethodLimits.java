package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.WeightedLoss;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.setting.Setting;
import java.util.List;

/** What a training method needs of the rest of a sweep, known before anything is charged. */
final class MethodLimits {
  /** Characters of a text that a statement has. */
  private static final int MOST_OF_A_TEXT = 1000;

  private MethodLimits() {}

  /** What training reads beside the private rows has to suit them before anything is charged. */
  static void checkPublicInputs(Draft draft) {
    if (draft.data().isEmpty() || draft.train().isEmpty()) {
      return;
    }
    YamlSection data = draft.data().get();
    TrainingMethod method = draft.train().get().method();
    boolean given = data.has("public");
    if (method.needs(Need.PUBLIC_ROWS) && !given) {
      data.missing("public", method.name() + " trains on labelled public rows too");
    } else if (draft.features().maps().needsMeans()) {
      if (!given) {
        data.missing("public", "the feature map public-mean takes the mean of public rows");
      }
    } else if (!method.needs(Need.PUBLIC_ROWS) && given) {
      data.broken("public", "is not used by " + method.name() + "; leave it out", "given");
    }
    if (method.needs(Need.PUBLIC_ROWS)
        && draft.rows().classCount().filter(c -> c == 0).isPresent()) {
      data.broken("private", "must have classes for " + method.name(), "real targets");
    }
    boolean compared = method.needs(Need.PUBLIC_ROWS) || method.start().file().isPresent();
    if (compared
        && data.isMapping("private")
        && !draft.rows().hasWrongColumns()
        && draft.rows().featureCount().isEmpty()) {
      data.broken(
          "private",
          "must state features, the number of columns: what "
              + method.name()
              + " starts from is compared with it before anything is charged",
          "without features");
    }
  }

  /** A start from texts needs an encoder of texts, which makes all that rows have. */
  static void checkLabelNames(Draft draft) {
    if (draft.train().isEmpty()
        || !(draft.train().get().method().start() instanceof Start.FromLabelNames start)
        || draft.rows().labelling().isEmpty()) {
      return;
    }
    YamlSection root = draft.root();
    boolean areTexts =
        draft
            .rows()
            .table()
            .filter(table -> table.texts().size() == 1)
            .filter(table -> table.width() == table.encoders().get(0).numbers())
            .isPresent();
    if (!areTexts) {
      root.broken(
          "train",
          "must not have the start label-names: it needs rows of one text, which an encoder turns"
              + " into numbers, and of no other feature",
          Start.LABEL_NAMES);
    }
    int classes = draft.rows().labelling().get().size();
    if (classes < 2) {
      root.broken(
          "train", "must not have the start label-names with real targets", Start.LABEL_NAMES);
    } else if (!start.texts().isEmpty() && start.texts().size() != classes) {
      root.broken(
          "train",
          "must have labelNames.texts for each of the %d classes".formatted(classes),
          Integer.toString(start.texts().size()));
    }
    List<String> said =
        start.texts().isEmpty()
            ? draft.rows().labelling().get() instanceof ClassLabels classNames
                ? classNames.names()
                : List.of()
            : start.texts();
    said.stream()
        .filter(text -> text.length() > MOST_OF_A_TEXT)
        .findFirst()
        .ifPresent(
            text ->
                root.broken(
                    "train",
                    "must start from texts of at most "
                        + MOST_OF_A_TEXT
                        + " characters each: the statement has them",
                    text));
  }

  /** What is private for rows alone is refused where the unit is a person. */
  static void checkUnit(Draft draft) {
    if (draft.rows().unit().isEmpty()) {
      return;
    }
    YamlSection root = draft.root();
    draft
        .train()
        .flatMap(train -> train.method().whyNoUnits())
        .ifPresent(why -> root.broken("train", "has no guarantee for people: " + why, "a method"));
    if (draft.features().mean().isPresent()) {
      root.broken(
          "features", "have a private mean, which is private for single rows", "private-mean");
    }
  }

  /** Where units are held out nothing may hang on which row of the file one is. */
  static void checkHoldOut(Draft draft) {
    if (!draft.rows().holdsOut()) {
      return;
    }
    YamlSection data = draft.data().orElseThrow();
    if (draft.budget().filter(b -> b.adjacency() == Adjacency.REPLACE_ONE).isPresent()) {
      refuseHoldOut(data);
    }
    if (draft.hasRowCosts()) {
      data.broken(HeldOutShares.KEY, "must be left out with output.perInstance", "given");
    }
  }

  /** Notes that units are held out where they are replaced. */
  static void refuseHoldOut(YamlSection data) {
    data.broken(
        HeldOutShares.KEY,
        "is for adjacency: add-remove; a unit in another's place may change sides",
        Adjacency.REPLACE_ONE.key());
  }

  /** What a trainer that is a program of somebody else's is not told, or not asked. */
  static void checkExternal(Draft draft) {
    if (draft.train().filter(train -> train.method().isExternal()).isEmpty()) {
      return;
    }
    YamlSection root = draft.root();
    TrainDefinition train = draft.train().get();
    if (train.loss() instanceof WeightedLoss) {
      root.broken(
          "train",
          "must have no weights of classes with external: make them settings of the trainer",
          "weights of classes");
    }
    boolean privateTest = draft.rows().isPrivate("test").orElse(false);
    root.lineOf("output", "by")
        .filter(line -> privateTest)
        .ifPresent(
            line ->
                root.note(
                    line,
                    "output.by must be left out with external where data.test is private: a trainer"
                        + " is handed rows without their groups"));
  }

  /** Such a trainer is told a loss by its name alone. */
  static void refuseUntoldSettings(Draft draft) {
    String loss =
        draft
            .train()
            .filter(train -> train.method().isExternal())
            .map(train -> train.loss().key())
            .orElse("");
    YamlSection root = draft.root();
    Loss.all().stream()
        .filter(type -> type.key().equals(loss))
        .flatMap(type -> type.settings().stream())
        .map(Setting::key)
        .forEach(
            key ->
                root.lineOf("train", key)
                    .ifPresent(
                        line ->
                            root.note(
                                line,
                                "train.%s must be left out with external: make it a setting of the trainer"
                                    .formatted(key))));
  }

  /** What a method's guarantee needs, known before anything is charged. */
  static void checkGuarantee(Draft draft) {
    if (draft.train().isEmpty() || draft.budget().isEmpty()) {
      return;
    }
    YamlSection root = draft.root();
    Loss loss = draft.train().get().loss();
    TrainingMethod method = draft.train().get().method();
    Budget budget = draft.budget().get();
    if (method.needs(Need.REPLACE_ONE) && budget.adjacency() != Adjacency.REPLACE_ONE) {
      root.broken(
          "budget",
          "must have adjacency: replace-one for "
              + method.name()
              + ", which has no other guarantee",
          budget.adjacency().key());
    }
    if (method.needs(Need.SMOOTH_LOSS) && loss.unweighted() instanceof HingeLoss) {
      root.broken(
          "train",
          "must not have the loss hinge, whose slope jumps, with "
              + method.name()
              + "; take huber-hinge",
          loss.key());
    }
    if (method.needs(Need.ONE_LOGIT)
        && draft.rows().classCount().filter(count -> loss.columns(count) != 1).isPresent()) {
      root.broken("train", "must have a loss of one logit with " + method.name(), loss.key());
    }
  }

  /** A picture in another folder, or of another name, would move all files between. */
  static void refuseRowsByName(Draft draft) {
    draft
        .train()
        .map(TrainDefinition::method)
        .filter(method -> method.needs(Need.ROWS_IN_PLACE) && draft.rows().goByName())
        .ifPresent(
            method ->
                draft
                    .root()
                    .broken(
                        "train",
                        "must not have the method "
                            + method.name()
                            + " with a folder or zip of pictures: one of another name would move"
                            + " all between; name them in a list",
                        method.name()));
  }

  /** A method that is not charged would be left with a charge beside it that says otherwise. */
  static void refuseIdleMean(Draft draft) {
    if (draft.train().filter(train -> !train.method().isCharged()).isPresent()
        && draft.features().mean().isPresent()) {
      String method = draft.train().get().method().name();
      YamlSection mean = draft.features().mean().get().section();
      mean.broken("type", "must not be there with " + method + ": it is charged");
    }
  }

  /** A method that protects no row reads the training rows as public ones are read. */
  static void checkOpenness(Draft draft) {
    if (draft.train().filter(train -> train.method().needs(Need.OPEN_ROWS)).isPresent()
        && !draft.rows().declared().isOpen()) {
      String method = draft.train().get().method().name();
      draft
          .root()
          .broken(
              "train",
              "must not have the method "
                  + method
                  + " where data.private is declared private: it is not"
                  + " charged. Declare the rows public or simulated, if they are, or take another"
                  + " method",
              method);
    }
  }
}
