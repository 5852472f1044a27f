package io.mutune.trainer.setting;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One public setting of a training method, as sweeps, the schema and the reference know it.
 *
 * @param key its name in a sweep
 * @param values what it may be
 * @param usual its value where a sweep gives none; empty where there is none, or it must be given
 * @param meaning for the schema and the reference; empty where the key says it
 * @param searchable whether a search may choose it in place of the sweep; numbers alone
 * @param <T> Double, Long, Boolean, String, or a list or map of texts, as {@code values} has it
 */
public record Setting<T>(
    String key, Values<T> values, Optional<T> usual, String meaning, boolean searchable) {
  /** What a setting may be. */
  public sealed interface Values<T> {
    /** A number. */
    record Numbers(NumberRule rule) implements Values<Double> {}

    /** A whole number. */
    record Counts(long least, long most) implements Values<Long> {}

    /** True or false. */
    record Flags() implements Values<Boolean> {}

    /** One of a few words. */
    record Words(List<String> words) implements Values<String> {}

    /** A list of words or numbers, as they are written; both ends included. */
    record TextList(int least, int most) implements Values<List<String>> {}

    /** Words or numbers by words or numbers, as they are written. */
    record TextMap() implements Values<Map<String, String>> {}

    /** Any text, which the reader of the settings understands by itself. */
    record Texts() implements Values<String> {}

    /** A mapping of settings, which the reader of the settings reads by itself. */
    record Section(List<Setting<?>> settings) implements Values<String> {}
  }

  /** A number. */
  public static Setting<Double> number(String key, NumberRule rule, String meaning) {
    return new Setting<>(key, new Values.Numbers(rule), Optional.empty(), meaning, false);
  }

  /** A whole number, both ends included. */
  public static Setting<Long> count(String key, long least, long most, String meaning) {
    return new Setting<>(key, new Values.Counts(least, most), Optional.empty(), meaning, false);
  }

  /** True or false. */
  public static Setting<Boolean> flag(String key, String meaning) {
    return new Setting<>(key, new Values.Flags(), Optional.empty(), meaning, false);
  }

  /** One of a few words; the first is the usual one. */
  public static Setting<String> word(String key, String meaning, String... words) {
    return new Setting<>(
        key, new Values.Words(List.of(words)), Optional.of(words[0]), meaning, false);
  }

  /** Any text, which whoever asks for it understands. */
  public static Setting<String> text(String key, String meaning) {
    return new Setting<>(key, new Values.Texts(), Optional.empty(), meaning, false);
  }

  /** A list of texts, of so many, both ends included. */
  public static Setting<List<String>> texts(String key, int least, int most, String meaning) {
    return new Setting<>(key, new Values.TextList(least, most), Optional.empty(), meaning, false);
  }

  /** Texts by texts. */
  public static Setting<Map<String, String>> textMap(String key, String meaning) {
    return new Setting<>(key, new Values.TextMap(), Optional.empty(), meaning, false);
  }

  /** The same with a value where a sweep gives none. */
  public Setting<T> usually(T value) {
    return new Setting<>(key, values, Optional.of(value), meaning, searchable);
  }

  /** The same where a search may choose it too. */
  public Setting<T> orSearched() {
    return new Setting<>(key, values, usual, meaning, true);
  }
}
