package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.DataKey;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.UnitSplit;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.table.HashedType;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.io.function.IOFunction;

/**
 * Notes which files this process reads rows from, each part of the sweep once. A file that holds
 * nothing but rows that the sweep calls public is noted by its digest. Every other one is noted by
 * a seal under a fresh nonce, which tells those without the holder's key nothing: not what is in
 * it, and not whether it changed since another process noted it. A file that holds charged rows is
 * noted with them, after their charge, and not for public rows that it holds besides.
 */
final class DataNotes {
  /** The part that the runs train on, by its name in the sweep. */
  static final String TRAINING = "data.private";

  static final String VALIDATION = "data.validation";
  static final String TEST = "data.test";

  private final StudyStore store;
  private final Study study;
  private final Optional<DataKey> key;
  private final StudyListener listener;
  private final HolderListener holder;
  private final Set<String> noted = new HashSet<>();
  private final Set<String> told = new HashSet<>();

  DataNotes(StudyStore store, Study study, RunEnvironment environment) {
    this.store = store;
    this.study = study;
    this.key = environment.key();
    this.listener = environment.listener();
    this.holder = environment.holder();
  }

  /**
   * Notes what is read without a charge, and by which key units are held out.
   *
   * @param files by which it is read
   * @throws IOException if a file cannot be read, or an earlier start had another key
   */
  void open(StudyDataFiles files) throws IOException {
    if (files.split().isPresent()) {
      keepSplit(files.split().get());
    }
    SweepDefinition sweep = study.sweep();
    for (Map.Entry<String, DataSource> part : parts(sweep).entrySet()) {
      DataSource source = part.getValue();
      if (sweep.data().needsCharge(source) || sharesGuardedFile(source, sweep)) {
        continue;
      }
      noted.add(part.getKey());
      // Rows beside those of a range are not called public.
      if (source.spec().range() == null) {
        keepDigests(part.getKey(), source.files(), files);
      } else {
        String nonce = DataKey.nonce();
        keepSeals(part.getKey(), source.files(), nonce, k -> files.seals(source.files(), k, nonce));
      }
    }
    Optional<Path> start = sweep.train().method().start().file();
    if (start.isPresent()) {
      keepDigests("train.start", List.of(start.get()), files);
    }
  }

  /** Privacy does not depend on it, but figures of rows that were held out do. */
  private void keepSplit(UnitSplit split) throws IOException {
    if (noted().isEmpty()) {
      keep(DataFingerprint.ofSplit(split));
    }
    // The first one counts, should two processes have begun at the same time.
    DataFingerprint first = noted().orElseThrow();
    if (first.isOf(split)) {
      return;
    }
    if (!first.isOfEarlier(split)) {
      throw new IOException(
          "data.holdOut: the study began with another key, so rows would change sides; let %s name"
                  .formatted(DataKeys.VARIABLE)
              + " that one");
    }
    if (study.sweep().data().sources().stream().anyMatch(DataNotes::isReadOtherwise)) {
      throw new IOException(
          "data.holdOut: the study began with a version of Mutune that read numbers of Parquet files"
              + " and hashed columns otherwise, so rows would change sides; go on with that one");
    }
  }

  /** Whether some of its numbers are not what they were for studies that began earlier. */
  private static boolean isReadOtherwise(DataSource source) {
    Table table = source.spec().table();
    return source.spec().format() == DataFormat.PARQUET
        || (table != null
            && table.columns().stream().anyMatch(column -> column.type() instanceof HashedType));
  }

  private Optional<DataFingerprint> noted() {
    return Provenance.data(store.notes(study.id())).stream()
        .filter(DataFingerprint::isOfSplit)
        .findFirst();
  }

  private static Map<String, DataSource> parts(SweepDefinition sweep) {
    Map<String, DataSource> parts = new LinkedHashMap<>();
    parts.put(TRAINING, sweep.data().training());
    sweep.data().publicRows().ifPresent(rows -> parts.put("data.public", rows));
    sweep.data().validation().ifPresent(rows -> parts.put(VALIDATION, rows));
    sweep.data().test().ifPresent(rows -> parts.put(TEST, rows));
    return parts;
  }

  /** The files of a part of the sweep; empty if it has no such part. */
  static List<Path> files(SweepDefinition sweep, String part) {
    DataSource source = parts(sweep).get(part);
    if (source != null) {
      return source.files();
    }
    return sweep.train().method().start().file().stream().toList();
  }

  private static boolean sharesGuardedFile(DataSource source, SweepDefinition sweep)
      throws IOException {
    for (DataSource other : sweep.data().sources()) {
      if (sweep.data().needsCharge(other) && sharesFile(source, other)) {
        return true;
      }
    }
    return false;
  }

  private static boolean sharesFile(DataSource one, DataSource other) throws IOException {
    for (Path mine : one.files()) {
      for (Path theirs : other.files()) {
        if (Files.isSameFile(mine, theirs)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Notes a part that was read against a charge, and tells the holder how many of its rows did not
   * fit.
   *
   * @throws IOException if a file cannot be read
   */
  void charged(String part, PrivateData data, ReservedCharge proof) throws IOException {
    long unfit = data.unfitRows(proof);
    if (unfit > 0) {
      tellOnce(part, () -> holder.unfit(part, unfit)); // rows are read again after a mean of them
    }
    synchronized (noted) {
      if (!noted.add(part)) {
        return;
      }
    }
    String nonce = DataKey.nonce();
    keepSeals(part, files(study.sweep(), part), nonce, k -> data.seal(proof, k, nonce));
  }

  /** Tells the holder, once a part, that the trainer failed to score its rows. */
  void unscored(String part) {
    tellOnce("scores of " + part, () -> holder.unscored(part));
  }

  private void tellOnce(String what, Runnable telling) {
    synchronized (told) {
      if (told.add(what)) {
        telling.run();
      }
    }
  }

  private void keepDigests(String part, List<Path> files, StudyDataFiles opened)
      throws IOException {
    List<String> digests = new ArrayList<>();
    for (Path file : files) {
      digests.add(opened.digest(file));
    }
    keep(DataFingerprint.ofDigests(part, files, digests));
  }

  private void keepSeals(
      String part, List<Path> files, String nonce, IOFunction<DataKey, List<String>> sealing) {
    if (key.isEmpty()) {
      keep(DataFingerprint.none(part));
      return;
    }
    try {
      keep(DataFingerprint.ofSeals(part, files, nonce, sealing.apply(key.get())));
    } catch (IOException e) {
      // The rows were read: a study must not fail for want of a seal.
      listener.note(part + " is noted without a seal: " + e.getMessage());
      keep(DataFingerprint.none(part));
    }
  }

  private void keep(DataFingerprint fingerprint) {
    store.note(study.id(), new StudyNote(StudyNote.Kind.DATA, fingerprint.content()));
  }
}
