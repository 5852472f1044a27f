package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.display.NearestWord;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.catalogue.TrainingMethods;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reads {@code train}: the method, which says itself what settings it has. The loss is {@link
 * LossReader}'s.
 */
final class MethodReader extends YamlSettings implements MethodSettings {
  private static final long MOST_STATED_ROWS = 1_000_000;

  private final YamlSection train;
  private final SweepContext context;
  private final DataReader data;
  private final Map<String, TrainerCommand> trainers;
  private final Predicate<String> searched;

  /**
   * @param trainers of the data set's card, by their names
   * @param searched whether the search chooses the number of this key
   */
  MethodReader(
      YamlSection train,
      SweepContext context,
      DataReader data,
      Map<String, TrainerCommand> trainers,
      Predicate<String> searched) {
    super(train);
    this.train = train;
    this.context = context;
    this.data = data;
    this.trainers = trainers;
    this.searched = searched;
  }

  /** Empty where the method is none, since which keys belong here depends on it. */
  Optional<TrainingMethod> read() {
    List<String> names = TrainingMethods.names();
    Optional<String> known = train.word("method", names);
    Optional<String> name =
        train.has("method") && known.isEmpty()
            ? train.wordAt("method").flatMap(word -> NearestWord.of(word, names))
            : Optional.of(known.orElse(TrainingMethods.USUAL.name()));
    return name.map(TrainingMethods::ofName).map(type -> type.read(this));
  }

  @Override
  public Optional<Long> rows() {
    return data.rows();
  }

  @Override
  public boolean isSearched(String key) {
    return searched.test(key);
  }

  @Override
  public long statedPublicRows() {
    Optional<Long> stated = data.publicRowCount();
    if (stated.isEmpty() && data.isPrivate("public").isPresent()) {
      train.broken(
          "method",
          "needs rows stated in data.public: the plan depends on their number",
          train.wordAt("method").orElse(""));
    }
    if (stated.filter(rows -> rows > MOST_STATED_ROWS).isPresent()) {
      train.broken(
          "method",
          "takes at most " + MOST_STATED_ROWS + " rows in data.public",
          train.wordAt("method").orElse(""));
    }
    return Math.min(Math.max(1, stated.orElse(1L)), MOST_STATED_ROWS);
  }

  @Override
  public Start start() {
    if (train.has(Start.SETTING.key())
        && train.wordAt(Start.SETTING.key()).filter(Start.PUBLIC_ROWS::equals).isPresent()) {
      train.broken(
          Start.SETTING.key(),
          "from public rows is adamix's; give zero, label-names or a file of weights");
      return Start.zero();
    }
    return given().orElse(Start.zero());
  }

  @Override
  public <T> T within(Setting<String> section, Function<SettingsReader, T> reader) {
    YamlSection given = train.section(section.key()).orElseGet(() -> train.empty(section.key()));
    T read = reader.apply(new YamlSettings(given));
    given.finish();
    return read;
  }

  @Override
  public Optional<TrainerCommand> trainer(String name) {
    return Optional.ofNullable(trainers.get(name));
  }

  @Override
  public Path folder() {
    return context.sweepFolder();
  }

  @Override
  public Start startFromPublicRows() {
    String key = Start.FromPublicRows.PRETRAINING.key();
    Start fromRows = within(Start.FromPublicRows.PRETRAINING, Start.FromPublicRows::read);
    Optional<Start> start = given();
    if (train.isMapping(key) && start.isPresent()) {
      train.broken(key, "is for start: public-rows only", "given");
    }
    return start.orElse(fromRows);
  }

  /** Any but {@code public-rows}; empty for that, and where nothing is said. */
  private Optional<Start> given() {
    String key = Start.SETTING.key();
    Optional<String> word = train.wordAt(key);
    Optional<Start.FromLabelNames> names = labelNames();
    if (word.filter(Start.LABEL_NAMES::equals).isPresent()) {
      train.text(key);
      return names.map(start -> start);
    }
    if (word.filter(Start.SETTING.usual().orElseThrow()::equals).isPresent()) {
      train.text(key);
      return Optional.of(Start.zero());
    }
    if (word.filter(Start.PUBLIC_ROWS::equals).isPresent()) {
      train.text(key);
      return Optional.empty();
    }
    return PathReader.read(train, key, context, context::resolve).map(Start.FromFile::new);
  }

  /** What is said of such a start, or what is usual, where it is one. */
  private Optional<Start.FromLabelNames> labelNames() {
    String key = Start.FromLabelNames.SECTION.key();
    boolean meant = train.wordAt(Start.SETTING.key()).filter(Start.LABEL_NAMES::equals).isPresent();
    if (train.has(key) && !meant) {
      train.broken(key, "is for start: label-names only", "given");
    }
    if (!meant && !train.has(key)) {
      return Optional.empty();
    }
    return Optional.of(within(Start.FromLabelNames.SECTION, Start.FromLabelNames::read));
  }
}
