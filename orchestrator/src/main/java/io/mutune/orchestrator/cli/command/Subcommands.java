package io.mutune.orchestrator.cli.command;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands below one, by name in the order of its help. Reading a command's options takes a
 * tenth of the time of a short question, so where a command is named, only that one is read.
 */
public final class Subcommands {
  /** Makes a command, below which only the one that the next of the words names is read. */
  private interface Maker {
    CommandLine make(List<String> words);
  }

  private final Map<String, Maker> byName;
  private final Set<String> hidden;

  private Subcommands(Map<String, Maker> byName, Set<String> hidden) {
    this.byName = Collections.unmodifiableMap(byName);
    this.hidden = Collections.unmodifiableSet(hidden);
  }

  /** A list of one. */
  public static Subcommands of(String name, Supplier<Object> command) {
    return new Subcommands(Map.of(), Set.of()).and(name, command);
  }

  /** Adds a command. */
  public Subcommands and(String name, Supplier<Object> command) {
    return with(name, words -> new CommandLine(command.get()));
  }

  /** Adds a command that does nothing by itself: others are below it. */
  public Subcommands and(String name, String description, Subcommands below) {
    return with(
        name,
        words -> {
          CommandLine group = new CommandLine(CommandSpec.create());
          Set<String> shown = new LinkedHashSet<>(below.byName.keySet());
          shown.removeAll(below.hidden);
          group
              .getCommandSpec()
              .usageMessage()
              .description(description)
              .synopsisSubcommandLabel(String.join("|", shown));
          below.addTo(group, words);
          return group;
        });
  }

  /** Adds those of another list. */
  public Subcommands and(Subcommands others) {
    return with(others, others.hidden);
  }

  /** Adds commands that work here and that help does not list. */
  public Subcommands andHidden(Subcommands others) {
    return with(others, others.byName.keySet());
  }

  private Subcommands with(String name, Maker command) {
    Map<String, Maker> more = new LinkedHashMap<>(byName);
    more.put(name, command);
    return new Subcommands(more, hidden);
  }

  private Subcommands with(Subcommands others, Set<String> notShown) {
    Map<String, Maker> more = new LinkedHashMap<>(byName);
    more.putAll(others.byName);
    Set<String> all = new LinkedHashSet<>(hidden);
    all.addAll(notShown);
    return new Subcommands(more, all);
  }

  /** The same in the order of these names; others come last. */
  public Subcommands inOrder(String... names) {
    Map<String, Maker> ordered = new LinkedHashMap<>();
    for (String name : names) {
      ordered.put(name, Objects.requireNonNull(byName.get(name), name));
    }
    ordered.putAll(byName);
    return new Subcommands(ordered, hidden);
  }

  /** Adds the one that the first of the words names, or all where there is no such name. */
  public void addTo(CommandLine parent, List<String> words) {
    boolean named = !words.isEmpty() && byName.containsKey(words.get(0));
    List<String> rest = named ? words.subList(1, words.size()) : List.of();
    byName.forEach(
        (name, maker) -> {
          if (!named || name.equals(words.get(0))) {
            CommandLine command = maker.make(rest);
            command.getCommandSpec().usageMessage().hidden(hidden.contains(name));
            parent.addSubcommand(name, command);
          }
        });
  }
}
