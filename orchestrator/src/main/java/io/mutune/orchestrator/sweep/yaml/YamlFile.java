package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.setting.OneLine;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A YAML text as a tree with lines. Anchors and aliases are refused: a sweep has no use for them,
 * and they are how a small file becomes a large one.
 */
final class YamlFile {
  /** Far above any sweep, far below what could hurt. */
  static final int MOST_CHARACTERS = 100_000;

  /**
   * Where texts may have several lines: programs, what they are told, and what people read. Whole
   * paths, since a column may have any of these names.
   */
  private static final Pattern FREE_TEXTS =
      Pattern.compile(
          "/description|/train/(command|environment|settings)"
              + "|/trainers/[^/]+/(command|environment)");

  private YamlFile() {}

  /** Of a card, whose lists of values may be long. */
  static final int MOST_OF_A_CARD = 1_000_000;

  /** The file's top mapping; what is wrong with it is noted in problems and thrown at once. */
  static YamlSection parse(String text, Problems problems) {
    return parse(text, problems, "a sweep file", MOST_CHARACTERS);
  }

  /** The same of a card. */
  static YamlSection parseCard(String text, Problems problems) {
    return parse(text, problems, "a card", MOST_OF_A_CARD);
  }

  private static YamlSection parse(String text, Problems problems, String what, int most) {
    int before = problems.count();
    if (text.length() > most) {
      problems.add(0, what + " has at most " + most + " characters");
      problems.throwIfMoreThan(before);
    }
    Optional<Node> root = compose(text, problems);
    root.ifPresent(node -> checkNodes(node, problems));
    if (root.isEmpty() || !(root.get() instanceof MappingNode)) {
      problems.add(1, what + " is a mapping of keys to values, beginning with version: 1");
    }
    problems.throwIfMoreThan(before);
    return new YamlSection(problems, "", (MappingNode) root.orElseThrow());
  }

  /** The only document, if there is any. */
  private static Optional<Node> compose(String text, Problems problems) {
    int before = problems.count();
    // Aliases only point: the tree does not grow by them, and each anchor is refused by its line.
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel("sweep")
            .setUseMarks(true)
            .setAllowNonScalarKeys(true)
            .setMaxAliasesForCollections(MOST_CHARACTERS)
            .build();
    try {
      Iterator<Node> documents = new Compose(settings).composeAllFromString(text).iterator();
      Optional<Node> first = documents.hasNext() ? Optional.of(documents.next()) : Optional.empty();
      if (documents.hasNext()) {
        problems.add(documents.next(), "a sweep file holds one document, and here is a second one");
      }
      problems.throwIfMoreThan(before);
      return first;
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      notYaml(line, e.getProblem(), text, problems);
    } catch (YamlEngineException e) {
      notYaml(0, String.valueOf(e.getMessage()), text, problems);
    } catch (NumberFormatException e) {
      notYaml(0, "an escape in quotes names no character", text, problems);
    } catch (StackOverflowError e) {
      problems.add(0, "this is nested too deeply for a sweep");
    }
    problems.throwIfMoreThan(before);
    return Optional.empty();
  }

  private static void notYaml(int line, String why, String text, Problems problems) {
    String where = text.lines().skip(Math.max(0, line - 1)).findFirst().orElse("");
    String hint =
        line > 0 && where.contains("${") ? "; within braces, write ${NAME} in quotes" : "";
    problems.add(line, "this is not YAML: " + why.lines().findFirst().orElse("") + hint);
  }

  /**
   * @param path the keys that lead to it
   * @param isFree whether texts may have several lines
   */
  private record Place(Node node, String path, boolean isFree) {}

  private static void checkNodes(Node root, Problems problems) {
    Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Place> open = new ArrayDeque<>(List.of(new Place(root, "", false)));
    while (!open.isEmpty()) {
      Place place = open.pop();
      Node node = place.node();
      if (!seen.add(node)) {
        continue;
      }
      if (node.getAnchor().isPresent()) {
        problems.add(node, "anchors (&) and aliases (*) are not allowed; write the value out");
      }
      if (node instanceof MappingNode mapping) {
        for (NodeTuple entry : mapping.getValue()) {
          String key = entry.getKeyNode() instanceof ScalarNode name ? name.getValue() : "";
          String path = place.path() + "/" + key;
          boolean isFree = place.isFree() || FREE_TEXTS.matcher(path).matches();
          open.push(new Place(entry.getKeyNode(), path, false));
          open.push(new Place(entry.getValueNode(), path, isFree));
        }
      } else if (node instanceof SequenceNode sequence) {
        sequence
            .getValue()
            .forEach(item -> open.push(new Place(item, place.path() + "/", place.isFree())));
      } else if (node instanceof ScalarNode scalar) {
        checkText(scalar, place.isFree(), problems);
      }
    }
  }

  /** What statements, results and stores quote must neither forge a line of them nor break them. */
  private static void checkText(ScalarNode scalar, boolean isFree, Problems problems) {
    String breaks = isFree ? "\t\n\u2028\u2029" : "\t";
    boolean isWhole =
        scalar.getValue().codePoints().allMatch(c -> OneLine.takes(c) || breaks.indexOf(c) >= 0);
    if (!isWhole) {
      problems.add(
          scalar,
          isFree
              ? "a text must have no control characters but tabs and line breaks"
              : "a text must be one line, without control characters");
    }
  }
}
