package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import io.mutune.trainer.data.DataKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** The card that an owner gives a command, whose files that command reads. */
final class CardFile {
  @Parameters(paramLabel = "CARD", description = "the data set's card, a YAML file")
  private Path file = Path.of("");

  /** A card that was read and checked. */
  record Card(String text, SweepContext context, DataCard definition) {
    CardText version(long version, String account) {
      return new CardText(definition.name(), version, account, text, context);
    }

    /**
     * Seals of its files as one text, by which the holder of the key knows the files again.
     *
     * @throws IOException if a file cannot be read
     */
    String seals(Optional<DataKey> key) throws IOException {
      if (key.isEmpty()) {
        return "";
      }
      String nonce = DataKey.nonce();
      return nonce + " " + String.join(" ", key.get().seals(files(definition.data()), nonce));
    }
  }

  /** Reads it, as one that is to be registered. */
  Card read() throws IOException {
    if (Files.isDirectory(file)) {
      throw new UsageException(file + ": is a folder, not a card");
    }
    try {
      String text = Files.readString(file);
      SweepContext context = SweepContext.ofFile(file);
      DataCard card = DataCardReader.readNew(file.toString(), text, context);
      return new Card(text, context.usedBy(text), card);
    } catch (MalformedInputException e) {
      throw new UsageException(file + ": is not UTF-8 text");
    }
  }

  /**
   * Which files of a registered card are others than those that were sealed. As private as they
   * are: it is for whoever holds files and key.
   *
   * @return the names of the files that changed; empty where nobody can tell
   */
  static Optional<List<String>> changed(SweepData data, String seals, Optional<DataKey> key)
      throws IOException {
    List<String> sealed = List.of(seals.split(" "));
    List<Path> files = files(data);
    if (key.isEmpty() || sealed.size() != files.size() + 1) {
      return Optional.empty();
    }
    List<String> changed = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!key.get().opens(files.get(i), i, sealed.get(0), sealed.get(i + 1))) {
        changed.add(String.valueOf(files.get(i).getFileName()));
      }
    }
    return Optional.of(changed);
  }

  private static List<Path> files(SweepData data) {
    return data.sources().stream().flatMap(source -> source.files().stream()).toList();
  }

  /**
   * Reads all files of a card in full and prints what is in them, for their owner alone.
   *
   * @throws UsageException if they are not what the card says
   */
  static void check(Card card, PrintWriter out) throws IOException {
    DataInspection found = DataInspection.of(card.definition().data());
    out.print(found.text());
    if (!found.sound()) {
      throw new UsageException("the files are not what the card says; nothing was registered");
    }
  }
}
