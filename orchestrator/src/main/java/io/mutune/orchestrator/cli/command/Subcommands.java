package io.mutune.orchestrator.cli.command;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private Subcommands(Map<String, Maker> byName) {
    this.byName = Collections.unmodifiableMap(byName);
  }

  /** A list of one. */
  public static Subcommands of(String name, Supplier<Object> command) {
    return new Subcommands(Map.of()).and(name, command);
  }

  /** Adds a command. */
  public Subcommands and(String name, Supplier<Object> command) {
    return with(Map.of(name, words -> new CommandLine(command.get())));
  }

  /** Adds a command that does nothing by itself: others are below it. */
  public Subcommands and(String name, String description, Subcommands below) {
    Maker maker =
        words -> {
          CommandLine group = new CommandLine(CommandSpec.create());
          group
              .getCommandSpec()
              .usageMessage()
              .description(description)
              .synopsisSubcommandLabel(String.join("|", below.byName.keySet()));
          below.addTo(group, words);
          return group;
        };
    return with(Map.of(name, maker));
  }

  /** Adds those of another list. */
  public Subcommands and(Subcommands others) {
    return with(others.byName);
  }

  private Subcommands with(Map<String, Maker> others) {
    Map<String, Maker> more = new LinkedHashMap<>(byName);
    more.putAll(others);
    return new Subcommands(more);
  }

  /** The same in the order of these names; others come last. */
  public Subcommands inOrder(String... names) {
    Map<String, Maker> ordered = new LinkedHashMap<>();
    for (String name : names) {
      ordered.put(name, Objects.requireNonNull(byName.get(name), name));
    }
    ordered.putAll(byName);
    return new Subcommands(ordered);
  }

  /** Adds the one that the first of the words names, or all where there is no such name. */
  public void addTo(CommandLine parent, List<String> words) {
    boolean named = !words.isEmpty() && byName.containsKey(words.get(0));
    List<String> rest = named ? words.subList(1, words.size()) : List.of();
    byName.forEach(
        (name, maker) -> {
          if (!named || name.equals(words.get(0))) {
            parent.addSubcommand(name, maker.make(rest));
          }
        });
  }
}
