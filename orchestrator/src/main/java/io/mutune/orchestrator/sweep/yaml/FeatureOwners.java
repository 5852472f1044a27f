package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.display.NearestWord;
import io.mutune.trainer.feature.Constant;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.OnPositions;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** From which columns of a table each number of a row is made, one feature map after the other. */
final class FeatureOwners {
  private final List<String> names = new ArrayList<>();
  private final boolean isTable;
  private final boolean isWrongTable;
  private List<Set<String>> owners = new ArrayList<>();
  private boolean known = true;

  /**
   * @param table the columns; empty for rows that are none
   * @param isWrongTable whether there are columns that are wrong, of which nothing more is said
   */
  FeatureOwners(Optional<Table> table, boolean isWrongTable) {
    isTable = table.isPresent();
    this.isWrongTable = isWrongTable;
    for (Column column : table.map(Table::columns).orElse(List.of())) {
      int width = column.type().width();
      if (width > 0) {
        names.add(column.name());
      }
      owners.addAll(Collections.nCopies(width, Set.of(column.name())));
    }
  }

  /** The map for the columns that the section names, or for the whole row; a fault is noted. */
  Optional<FeatureMap> placed(YamlSection section, FeatureMap map, Optional<List<String>> columns) {
    Optional<FeatureMap> placed =
        columns.isEmpty()
            ? Optional.of(map)
            : chosen(section, map, new LinkedHashSet<>(columns.get()));
    placed.ifPresentOrElse(this::follow, this::lost);
    return placed;
  }

  /** A map that is not sound: nothing more is said of the numbers after it. */
  void lost() {
    known = false;
  }

  private Optional<FeatureMap> chosen(YamlSection section, FeatureMap map, Set<String> columns) {
    if (isWrongTable) {
      return Optional.empty();
    }
    if (!isTable) {
      section.broken("columns", "are for a table, whose columns have names and types");
      return Optional.empty();
    }
    boolean all = !columns.isEmpty();
    for (String column : columns) {
      if (!names.contains(column)) {
        String advice =
            NearestWord.advice(column, names).orElse("; these are: " + String.join(", ", names));
        section.broken("columns", "must be columns that are features", column, advice);
        all = false;
      }
    }
    if (columns.isEmpty()) {
      section.broken("columns", "must name a column, or be left out for all", "none");
    }
    if (!all || !known) {
      return Optional.empty();
    }
    List<Integer> positions = positions(columns);
    if (positions.isEmpty()) {
      section.broken(
          "columns",
          "must come before a map that makes numbers of several columns together",
          String.join(", ", columns));
      return Optional.empty();
    }
    try {
      OnPositions placed = new OnPositions(map, positions);
      placed.outputs(owners.size());
      return Optional.of(placed);
    } catch (IllegalArgumentException e) {
      section.broken("columns", "must suit the map: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** None where a number is made of these and others. */
  private List<Integer> positions(Set<String> columns) {
    boolean mixed =
        owners.stream()
            .anyMatch(
                owner -> !columns.containsAll(owner) && !Collections.disjoint(columns, owner));
    return mixed
        ? List.of()
        : IntStream.range(0, owners.size())
            .filter(i -> !Collections.disjoint(columns, owners.get(i)))
            .boxed()
            .toList();
  }

  private void follow(FeatureMap map) {
    if (!known || !isTable) {
      return;
    }
    if (map instanceof OnPositions some) {
      List<Set<String>> after = new ArrayList<>();
      List<Set<String>> chosen = some.positions().stream().map(owners::get).toList();
      Set<Integer> places = new HashSet<>(some.positions());
      IntStream.range(0, owners.size())
          .filter(i -> !places.contains(i))
          .forEach(i -> after.add(owners.get(i)));
      after.addAll(after(some.map(), chosen));
      owners = after;
      return;
    }
    try {
      owners = after(map, owners);
    } catch (IllegalArgumentException e) {
      lost(); // noted where the width of the whole row is checked
    }
  }

  /** Each number is made of all that a map takes, unless the map is known to look at one alone. */
  private static List<Set<String>> after(FeatureMap map, List<Set<String>> before) {
    if (map instanceof Scale) {
      return before;
    }
    if (map instanceof Constant) {
      List<Set<String>> after = new ArrayList<>(before);
      after.add(Set.of());
      return after;
    }
    Set<String> all = new HashSet<>();
    before.forEach(all::addAll);
    return Collections.nCopies(map.outputs(before.size()), all);
  }
}
