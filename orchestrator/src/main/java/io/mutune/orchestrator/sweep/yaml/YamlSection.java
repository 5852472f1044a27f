package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.display.NearestWord;
import io.mutune.trainer.setting.NumberRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One mapping of a sweep file. Each reader names the keys that it knows; what is wrong is noted
 * with its line and read as absent, so that one mistake does not hide the next. {@link #finish}
 * notes the keys that nobody asked for.
 */
final class YamlSection {
  private final Problems problems;
  private final String path;
  private final Node node;
  private final Map<String, Node> entries = new LinkedHashMap<>();
  private final Map<String, Integer> keyLines = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();
  private final Set<String> missing = new LinkedHashSet<>();
  private final Set<String> refused = new LinkedHashSet<>();
  private final int problemsBefore;

  YamlSection(Problems problems, String path, MappingNode node) {
    this.problems = problems;
    this.path = path;
    this.node = node;
    this.problemsBefore = problems.count();
    for (NodeTuple entry : node.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode keyNode)) {
        problems.add(
            entry.getKeyNode(), (path.isEmpty() ? "" : path + ": ") + "a key must be a word");
        continue;
      }
      String key = keyNode.getValue();
      Integer first = keyLines.putIfAbsent(key, Problems.line(keyNode));
      if (first != null) {
        problems.add(
            keyNode, name(Problems.shown(key)) + " appears twice (first on line " + first + ")");
      } else {
        entries.put(key, entry.getValueNode());
      }
    }
  }

  /** The full name of a key, such as {@code budget.delta}. */
  String name(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** The keys that it has, in order; all of them count as known. */
  List<String> keys() {
    known.addAll(entries.keySet());
    return List.copyOf(entries.keySet());
  }

  boolean has(String key) {
    known.add(key);
    return entries.containsKey(key);
  }

  /**
   * Whether it has a key that is refused here by a rule of its own, so that no message offers it.
   */
  boolean hasRefused(String key) {
    refused.add(key);
    return entries.containsKey(key);
  }

  /** Notes that a value breaks a rule; was is the value as written. */
  void broken(String key, String rule, Object was) {
    broken(key, rule, was, "");
  }

  /** The same with what may have been meant, which begins with "; ". */
  void broken(String key, String rule, Object was, String advice) {
    Node value = entries.get(key);
    problems.add(
        value == null ? node : value,
        name(key) + " " + rule + "; was " + Problems.shown(was.toString()) + advice);
  }

  /** Notes that a value breaks a rule, and shows it as it is written. */
  void broken(String key, String rule) {
    broken(key, rule, written(key));
  }

  /** The line of a key within mappings of this one, if it is there; nothing is noted. */
  Optional<Integer> lineOf(String... keys) {
    return entry(keys).map(entry -> Problems.line(entry.getKeyNode()));
  }

  /** What is written there, if it is a word; nothing is noted. */
  Optional<String> wordAt(String... keys) {
    return entry(keys)
        .map(NodeTuple::getValueNode)
        .map(value -> value instanceof ScalarNode word ? word.getValue() : null);
  }

  /** The keys of a mapping of this one; none where it is none. Nothing is noted. */
  List<String> keysOf(String key) {
    return entries.get(key) instanceof MappingNode mapping
        ? mapping.getValue().stream()
            .map(NodeTuple::getKeyNode)
            .filter(ScalarNode.class::isInstance)
            .map(name -> ((ScalarNode) name).getValue())
            .toList()
        : List.of();
  }

  private Optional<NodeTuple> entry(String... keys) {
    Node at = node;
    Optional<NodeTuple> entry = Optional.empty();
    for (String key : keys) {
      if (!(at instanceof MappingNode mapping)) {
        return Optional.empty();
      }
      entry =
          mapping.getValue().stream()
              .filter(e -> e.getKeyNode() instanceof ScalarNode k && k.getValue().equals(key))
              .findFirst();
      if (entry.isEmpty()) {
        return Optional.empty();
      }
      at = entry.get().getValueNode();
    }
    return entry;
  }

  /** The full name of every key in it and in the mappings within, such as {@code a.b}. */
  Set<String> paths() {
    Set<String> paths = new LinkedHashSet<>();
    addPaths(node, path, paths);
    return paths;
  }

  private static void addPaths(Node at, String above, Set<String> paths) {
    if (at instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode key) {
          String name = above.isEmpty() ? key.getValue() : above + "." + key.getValue();
          paths.add(name);
          addPaths(entry.getValueNode(), name, paths);
        }
      }
    }
  }

  /** Notes a problem on a line. */
  void note(int line, String text) {
    problems.add(line, text);
  }

  /** Whether anything was noted, here or elsewhere, since this mapping was opened. */
  boolean hasProblems() {
    return problems() > problemsBefore;
  }

  /** How many problems the file has so far. */
  int problems() {
    return problems.count();
  }

  /** A value as a message shows it. */
  String written(String key) {
    Node value = entries.get(key);
    return value == null ? "absent" : Problems.shown(YamlValue.describe(value));
  }

  void missing(String key, String advice) {
    known.add(key);
    missing.add(key);
    problems.add(node, name(key) + " is missing; " + advice);
  }

  /** Notes that a key is missing where it is. */
  void require(String key, String advice) {
    if (!has(key)) {
      missing(key, advice);
    }
  }

  /**
   * The same of a key that decides which others belong here, so that {@link #finish} is not reached
   * without it: notes a key that is likely to be it.
   */
  void requireFirst(String key, String advice) {
    require(key, advice);
    if (missing.contains(key)) {
      keyLines.forEach(
          (written, line) -> {
            if (NearestWord.of(written, List.of(key)).isPresent()) {
              unknown(written, line, "did you mean " + key + "?");
            }
          });
    }
  }

  private void unknown(String key, int line, String advice) {
    problems.add(line, name(Problems.shown(key)) + " is not a known key; " + advice);
  }

  Optional<String> text(String key) {
    return read(key, "must be text", YamlValue::text);
  }

  /** One of a closed set of words. */
  Optional<String> word(String key, List<String> allowed) {
    Optional<String> word = text(key);
    if (word.isPresent() && !allowed.contains(word.get())) {
      String advice = NearestWord.advice(word.get(), allowed).orElse("");
      broken(key, "must be one of " + String.join(", ", allowed), word.get(), advice);
      return Optional.empty();
    }
    return word;
  }

  /**
   * One of some values by its word.
   *
   * @param name the word of a value
   */
  <T> Optional<T> oneOf(String key, T[] values, Function<T, String> name) {
    return word(key, Arrays.stream(values).map(name).toList())
        .flatMap(word -> Arrays.stream(values).filter(v -> name.apply(v).equals(word)).findFirst());
  }

  Optional<Boolean> flag(String key) {
    return read(key, "must be true or false", YamlValue::flag);
  }

  Optional<Double> number(String key, NumberRule rule) {
    Optional<Double> number = read(key, "must be a number", YamlValue::number);
    if (number.isPresent() && !rule.holds(number.get())) {
      broken(key, "must be " + rule.text());
      return Optional.empty();
    }
    return number;
  }

  /** A whole number; the bounds are below 2⁵³, so that a double holds it. */
  Optional<Long> integer(String key, long least, long most) {
    return number(key, NumberRule.whole(least, most)).map(Double::longValue);
  }

  /** The same of one that an int holds. */
  Optional<Integer> count(String key, int least, int most) {
    return integer(key, least, most).map(Long::intValue);
  }

  /** Whether it is a word or a number. */
  boolean isText(String key) {
    known.add(key);
    return entries.get(key) instanceof ScalarNode;
  }

  boolean isMapping(String key) {
    known.add(key);
    return entries.get(key) instanceof MappingNode;
  }

  boolean isSequence(String key) {
    known.add(key);
    return entries.get(key) instanceof SequenceNode;
  }

  Optional<YamlSection> section(String key) {
    return read(
        key,
        "must be a mapping of keys to values",
        value ->
            value instanceof MappingNode mapping
                ? Optional.of(new YamlSection(problems, name(key), mapping))
                : Optional.empty());
  }

  /** What {@link #section} gives for a mapping without keys. */
  YamlSection empty(String key) {
    return new YamlSection(
        problems, name(key), new MappingNode(Tag.MAP, List.of(), FlowStyle.BLOCK));
  }

  /** A list of mappings. */
  Optional<List<YamlSection>> sections(String key) {
    return items(key)
        .map(
            items -> {
              List<YamlSection> sections = new ArrayList<>();
              for (int i = 0; i < items.size(); i++) {
                String item = name(key) + "[" + i + "]";
                if (items.get(i) instanceof MappingNode mapping) {
                  sections.add(new YamlSection(problems, item, mapping));
                } else {
                  problems.add(
                      items.get(i),
                      item
                          + " must be a mapping of keys to values; was "
                          + Problems.shown(YamlValue.describe(items.get(i))));
                }
              }
              return sections;
            });
  }

  /** A list of words or numbers, as written. */
  Optional<List<String>> texts(String key) {
    return items(key)
        .flatMap(
            items -> {
              List<String> texts = new ArrayList<>();
              for (int i = 0; i < items.size(); i++) {
                Optional<String> text = YamlValue.text(items.get(i));
                text.ifPresent(texts::add);
                if (text.isEmpty()) {
                  problems.add(items.get(i), name(key) + "[" + i + "] must be a word or a number");
                }
              }
              return texts.size() == items.size() ? Optional.of(texts) : Optional.empty();
            });
  }

  /** A list of numbers, each of which satisfies a rule. */
  Optional<List<Double>> numbers(String key, NumberRule rule) {
    Optional<List<String>> texts = texts(key);
    List<Double> numbers = new ArrayList<>();
    for (String text : texts.orElse(List.of())) {
      Optional<Double> number = NumberRule.decimal(text);
      if (number.filter(rule::holds).isEmpty()) {
        String decimal = number.isEmpty() ? "a decimal number, such as 0.25 or 1e-5, " : "";
        broken(key, "must be " + decimal + rule.text() + " each", text);
        return Optional.empty();
      }
      numbers.add(number.get());
    }
    return texts.map(given -> numbers);
  }

  /** Words or numbers by words or numbers, as written, in their order. */
  Optional<Map<String, String>> textMap(String key) {
    return section(key)
        .map(
            section -> {
              Map<String, String> texts = new LinkedHashMap<>();
              for (String name : section.entries.keySet()) {
                section.text(name).ifPresent(text -> texts.put(name, text));
              }
              return texts;
            });
  }

  /** Notes every key that no reader asked for. */
  void finish() {
    List<Map.Entry<String, Integer>> unknown =
        keyLines.entrySet().stream()
            .filter(key -> !known.contains(key.getKey()) && !refused.contains(key.getKey()))
            .toList();
    // Beside one that is missing, the only one that nobody knows is likely to be it.
    Optional<String> meant =
        unknown.size() == 1 && missing.size() == 1
            ? missing.stream().findFirst()
            : Optional.empty();
    for (Map.Entry<String, Integer> key : unknown) {
      String advice =
          NearestWord.of(key.getKey(), known)
              .or(() -> meant)
              .map(near -> "did you mean " + near + "?")
              .orElse("known here: " + String.join(", ", known));
      unknown(key.getKey(), key.getValue(), advice);
    }
  }

  private Optional<List<Node>> items(String key) {
    return read(
        key,
        "must be a list",
        value ->
            value instanceof SequenceNode sequence
                ? Optional.of(sequence.getValue())
                : Optional.empty());
  }

  /**
   * What a key's value says, if it is there.
   *
   * @param rule that is broken where the value says nothing of the kind
   */
  private <T> Optional<T> read(String key, String rule, Function<Node, Optional<T>> reading) {
    known.add(key);
    Node value = entries.get(key);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof ScalarNode scalar && YamlValue.isNull(scalar)) {
      broken(key, "has no value: give one or leave the key out", "empty");
      return Optional.empty();
    }
    Optional<T> read = reading.apply(value);
    if (read.isEmpty()) {
      broken(key, rule);
    }
    return read;
  }
}
