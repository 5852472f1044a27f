package io.mutune.trainer.method;

import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** What a method is read from: its settings, and the public facts that some of them depend on. */
public interface MethodSettings extends SettingsReader {
  /** {@link Start#SETTING}, of a method that does not start from public rows. */
  Start start();

  /**
   * {@link Start#SETTING} and {@link Start.FromPublicRows#PRETRAINING}, of one that may start from
   * public rows.
   */
  Start startFromPublicRows();

  /** The public number of private rows, where the sweep has it. */
  Optional<Long> rows();

  /**
   * The number of public rows that the sweep states; notes that it has to where it does not.
   *
   * @return at least 1, whatever the sweep says
   */
  long statedPublicRows();

  /** Whether the search chooses the method's number of this key. */
  boolean isSearched(String key);

  /** The settings of a mapping, which may be empty; all that it has are then known. */
  <T> T within(Setting<String> section, Function<SettingsReader, T> reader);

  /** How the trainer of this name is started, if the owner of the data set has registered one. */
  Optional<TrainerCommand> trainer(String name);

  /** The folder that the sweep's relative paths begin at. */
  Path folder();
}
