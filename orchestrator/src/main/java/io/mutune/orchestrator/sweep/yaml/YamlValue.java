package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.setting.NumberRule;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** What one value of a sweep file says by itself. */
final class YamlValue {
  private static final Set<String> TRUE = Set.of("true", "on", "yes");
  private static final Set<String> FALSE = Set.of("false", "off", "no");

  private YamlValue() {}

  /** The word or number that it is, as written. */
  static Optional<String> text(Node value) {
    return value instanceof ScalarNode scalar && !isNull(scalar)
        ? Optional.of(scalar.getValue())
        : Optional.empty();
  }

  /** The number that it is, if it is written as one and not in quotes. */
  static Optional<Double> number(Node value) {
    return value instanceof ScalarNode scalar && scalar.isPlain()
        ? NumberRule.decimal(scalar.getValue())
        : Optional.empty();
  }

  /** Yes or no, in any of their usual words and not in quotes. */
  static Optional<Boolean> flag(Node value) {
    if (value instanceof ScalarNode scalar && scalar.isPlain()) {
      if (TRUE.contains(scalar.getValue())) {
        return Optional.of(true);
      }
      if (FALSE.contains(scalar.getValue())) {
        return Optional.of(false);
      }
    }
    return Optional.empty();
  }

  /** Whether nothing is written, or the word for it. */
  static boolean isNull(ScalarNode scalar) {
    return scalar.getScalarStyle() == ScalarStyle.PLAIN
        && (scalar.getValue().isEmpty()
            || scalar.getValue().equals("null")
            || scalar.getValue().equals("~"));
  }

  /** As a message shows it. */
  static String describe(Node value) {
    if (value instanceof ScalarNode scalar) {
      return scalar.isPlain() ? scalar.getValue() : '"' + scalar.getValue() + '"';
    }
    return value instanceof SequenceNode ? "a list" : "a mapping";
  }
}
