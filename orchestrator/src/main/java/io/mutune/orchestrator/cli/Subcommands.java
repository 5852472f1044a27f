package io.mutune.orchestrator.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The commands below one, by name in the order of its help. Reading a command's options takes a
 * tenth of the time that a short question may take, so only what was named is read.
 */
final class Subcommands {
  private final Map<String, Supplier<Object>> byName;

  private Subcommands(Map<String, Supplier<Object>> byName) {
    this.byName = Collections.unmodifiableMap(byName);
  }

  static Subcommands of(String name, Supplier<Object> command) {
    return new Subcommands(new LinkedHashMap<>()).and(name, command);
  }

  Subcommands and(String name, Supplier<Object> command) {
    Map<String, Supplier<Object>> more = new LinkedHashMap<>(byName);
    more.put(name, command);
    return new Subcommands(more);
  }

  /** Adds the one that the word at {@code place} names, or all where there is no such name. */
  void addTo(CommandLine parent, String[] words, int place) {
    Supplier<Object> named = place < words.length ? byName.get(words[place]) : null;
    if (named != null) {
      parent.addSubcommand(words[place], named.get());
      return;
    }
    byName.forEach((name, command) -> parent.addSubcommand(name, command.get()));
  }
}
