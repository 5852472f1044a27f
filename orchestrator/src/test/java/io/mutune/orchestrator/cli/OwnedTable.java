package io.mutune.orchestrator.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A small table in a folder, and what its owner does with it. */
record OwnedTable(Path folder) {
  static final String COLUMNS =
      """
      columns:
        who: {type: id}
        home: {type: id}
        age: {type: number, min: 0, max: 100}
        class: {type: label, values: [low, high]}
      """;

  /** Three hundred rows of a hundred people in fifty homes. */
  static OwnedTable in(Path folder) throws IOException {
    OwnedTable table = new OwnedTable(folder);
    table.rows("rows.csv", 1);
    return table;
  }

  Path rows(String file, long seed) throws IOException {
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>(List.of("who,home,age,class"));
    for (int row = 0; row < 300; row++) {
      int age = random.nextInt(100);
      String label = age + 20 * random.nextGaussian() > 50 ? "high" : "low";
      lines.add("p%d,h%d,%d,%s".formatted(row % 100, row % 50, age, label));
    }
    return write(file, String.join("\n", lines) + "\n");
  }

  Path write(String file, String text) throws IOException {
    return Files.writeString(folder.resolve(file), text);
  }

  /**
   * A card of the name.
   *
   * @param head its budget, or whose people these are
   * @param more of it
   */
  Path card(String name, String file, String head, String more) throws IOException {
    return write(
        name + ".yaml",
        "version: 1\nname: %s\n%s\n%s%sprivate: {path: %s, format: csv, rows: 300}\n"
            .formatted(name, head, COLUMNS, more, file));
  }

  CommandRun mutune(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--output", folder.resolve("runs").toString()));
    return CommandRun.of(all.toArray(String[]::new));
  }
}
