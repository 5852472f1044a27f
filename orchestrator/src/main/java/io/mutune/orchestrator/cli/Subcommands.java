package io.mutune.orchestrator.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The commands below one, by name in the order of its help. Reading a command's options takes a
 * tenth of the time of a short question, so where a command is named, only that one is read.
 */
final class Subcommands {
  private final Map<String, Supplier<Object>> byName;
  private final Set<String> hidden;

  private Subcommands(Map<String, Supplier<Object>> byName, Set<String> hidden) {
    this.byName = Collections.unmodifiableMap(byName);
    this.hidden = Collections.unmodifiableSet(hidden);
  }

  static Subcommands of(String name, Supplier<Object> command) {
    return new Subcommands(Map.of(), Set.of()).and(name, command);
  }

  Subcommands and(String name, Supplier<Object> command) {
    Map<String, Supplier<Object>> more = new LinkedHashMap<>(byName);
    more.put(name, command);
    return new Subcommands(more, hidden);
  }

  /** Adds commands that work here and that help does not list. */
  Subcommands andHidden(Subcommands others) {
    Map<String, Supplier<Object>> more = new LinkedHashMap<>(byName);
    more.putAll(others.byName);
    Set<String> names = new LinkedHashSet<>(hidden);
    names.addAll(others.byName.keySet());
    return new Subcommands(more, names);
  }

  /** Adds the one that the word at {@code place} names, or all where there is no such name. */
  void addTo(CommandLine parent, String[] words, int place) {
    Supplier<Object> named = place < words.length ? byName.get(words[place]) : null;
    if (named != null) {
      add(parent, words[place], named);
    } else {
      byName.forEach((name, command) -> add(parent, name, command));
    }
  }

  private void add(CommandLine parent, String name, Supplier<Object> supplier) {
    CommandLine command = new CommandLine(supplier.get());
    command.getCommandSpec().usageMessage().hidden(hidden.contains(name));
    parent.addSubcommand(name, command);
  }
}
