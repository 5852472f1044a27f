package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.display.NearestWord;
import io.mutune.orchestrator.sweep.UnitOfPrivacy;
import io.mutune.trainer.table.Table;
import java.util.Optional;

/**
 * What {@code unit} says: that a person is the unit of privacy.
 *
 * @param unit empty if something is wrong with it, which is noted
 * @param people the public number of people
 */
record UnitReader(Optional<UnitOfPrivacy> unit, Optional<Long> people) {
  private static final long MOST_PEOPLE = 1L << 40;

  /**
   * Reads the section.
   *
   * @param hasColumns whether the data section describes columns
   */
  static UnitReader read(YamlSection data, boolean hasColumns) {
    return data.section("unit")
        .map(given -> read(data, given, hasColumns))
        .orElseGet(() -> new UnitReader(Optional.empty(), Optional.empty()));
  }

  /**
   * The public number of people of private validation or test rows, which are scaled by it.
   *
   * @param counted whether the unit is a person and the rows need protection; else there is none
   */
  static Optional<Long> people(YamlSection part, boolean counted) {
    if (counted && !part.has("people")) {
      part.missing("people", "state in public how many people these rows are of");
    } else if (!counted && part.has("people")) {
      part.broken("people", "is for private rows where the unit is a person", "given");
    }
    return part.integer("people", 1, MOST_PEOPLE);
  }

  private static UnitReader read(YamlSection data, YamlSection given, boolean hasColumns) {
    if (!hasColumns) {
      data.broken("unit", "needs columns, one of which names the person", "a mapping");
    }
    given.require("column", "name the column, of type id, that tells people apart");
    given.require("rows", "at most so many rows of a person count");
    given.require(
        "people", "state the number of people in public: noise and steps are scaled by it");
    Optional<String> column = given.text("column");
    Optional<Integer> most = given.count("rows", 1, Table.MOST_UNIT_ROWS);
    Optional<Long> people = given.integer("people", 1, MOST_PEOPLE);
    given.finish();
    column.filter(name -> data.isMapping("columns")).ifPresent(name -> check(data, given, name));
    return new UnitReader(
        column.flatMap(name -> most.map(rows -> new UnitOfPrivacy(name, rows))), people);
  }

  /** Notes where no column of type id has the name. */
  private static void check(YamlSection data, YamlSection given, String name) {
    if (data.lineOf("columns", name).isEmpty()) {
      String near = NearestWord.advice(name, data.keysOf("columns")).orElse("");
      given.broken("column", "must be the name of one of the columns", name, near);
    } else if (data.wordAt("columns", name, "type")
        .filter(type -> !type.equals("id"))
        .isPresent()) {
      given.broken("column", "must name a column of type id", name);
    }
  }
}
