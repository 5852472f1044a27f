package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.DataKey;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.UnitSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the files of one part of a sweep can be recognised by.
 *
 * @param part of the sweep
 * @param kind how the files are known: by digests, by seals, or not at all
 * @param nonce of seals; empty for digests
 * @param files each file's digest or seal, by its place and name
 */
public record DataFingerprint(String part, String kind, String nonce, Map<String, String> files) {
  private static final String DIGESTS = "sha-256";
  private static final String SEALS = "hmac-sha-256";
  private static final String NONE = "none";

  /** In place of a part: the key by which units are held out. */
  private static final String HOLD_OUT = "data.holdOut";

  private static final String KEY = "key";

  static DataFingerprint ofDigests(String part, List<Path> files, List<String> digests) {
    return new DataFingerprint(part, DIGESTS, "", named(files, digests));
  }

  static DataFingerprint ofSeals(String part, List<Path> files, String nonce, List<String> seals) {
    return new DataFingerprint(part, SEALS, nonce, named(files, seals));
  }

  /** Of the key that holds out units, under a fresh nonce. */
  static DataFingerprint ofSplit(UnitSplit split) {
    String nonce = DataKey.nonce();
    return new DataFingerprint(HOLD_OUT, SEALS, nonce, Map.of(KEY, split.tag(nonce)));
  }

  /** Whether it is of a key that holds out units. */
  boolean isOfSplit() {
    return part.equals(HOLD_OUT);
  }

  /** Whether it is of this one. */
  boolean isOf(UnitSplit split) {
    return split.tag(nonce).equals(files.get(KEY));
  }

  /** Whether it is of this one as numbers were read before. */
  boolean isOfEarlier(UnitSplit split) {
    return split.earlierTag(nonce).equals(files.get(KEY));
  }

  static DataFingerprint none(String part) {
    return new DataFingerprint(part, NONE, "", Map.of());
  }

  private static Map<String, String> named(List<Path> files, List<String> values) {
    Map<String, String> named = new LinkedHashMap<>();
    for (int i = 0; i < files.size(); i++) {
      named.put((i + 1) + " " + files.get(i).getFileName(), values.get(i));
    }
    return named;
  }

  /** The content of a note in the study's ledger that keeps it. */
  Map<String, String> content() {
    Map<String, String> content = new LinkedHashMap<>();
    content.put("part", part);
    content.put("kind", kind);
    if (!nonce.isEmpty()) {
      content.put("nonce", nonce);
    }
    content.putAll(files);
    return content;
  }

  /** The fingerprint that a note keeps. */
  static DataFingerprint of(Map<String, String> content) {
    Map<String, String> files = new LinkedHashMap<>(content);
    String part = files.remove("part");
    String kind = files.remove("kind");
    String nonce = files.remove("nonce");
    return new DataFingerprint(
        String.valueOf(part), String.valueOf(kind), nonce == null ? "" : nonce, files);
  }

  /** What became of a file since. */
  public enum Finding {
    SAME,
    ANOTHER,
    MISSING,
    /** There is no fingerprint, or no key to look with. */
    UNKNOWN
  }

  /**
   * Holds the files that are there now against it, and reads all of them. What it finds of private
   * files is private: for the eyes of their holder alone.
   *
   * @param key the holder's
   */
  public Finding compare(SweepDefinition sweep, Optional<DataKey> key) throws IOException {
    if (isOfSplit() && key.isPresent()) {
      UnitSplit split = key.get().split();
      return isOf(split) || isOfEarlier(split) ? Finding.SAME : Finding.ANOTHER;
    }
    List<Path> now = DataNotes.files(sweep, part);
    if (kind.equals(NONE) || (kind.equals(SEALS) && key.isEmpty())) {
      return Finding.UNKNOWN;
    }
    if (now.size() != files.size()) {
      return Finding.ANOTHER;
    }
    int place = 0;
    for (String value : files.values()) {
      Path file = now.get(place);
      if (!Files.isReadable(file)) {
        return Finding.MISSING;
      }
      boolean same =
          kind.equals(SEALS)
              ? key.orElseThrow().opens(file, place, nonce, value)
              : PublicData.digest(file).equals(value);
      if (!same) {
        return Finding.ANOTHER;
      }
      place++;
    }
    return Finding.SAME;
  }
}
