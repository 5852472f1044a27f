package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A folder with a file of claims, {@code table.yaml}, the rows that they are tried on, and the
 * pages that come of it in {@code out}.
 */
record ClaimFolder(Path folder) {
  /** With its rows, and no claims yet. */
  static ClaimFolder in(Path folder) throws IOException {
    Random draws = new Random(1);
    List<String> lines = new ArrayList<>(List.of("x,y,label"));
    for (int i = 0; i < 140; i++) {
      int label = i % 2;
      double x = draws.nextGaussian() + 4 * label - 2;
      lines.add(x + "," + draws.nextGaussian() + "," + label);
    }
    Files.createDirectories(folder.resolve("data"));
    Files.write(folder.resolve("data/rows.csv"), lines);
    Files.createDirectories(folder.resolve("sweeps/claims"));
    return new ClaimFolder(folder);
  }

  void write(String text) throws IOException {
    Files.writeString(folder.resolve("sweeps/claims/table.yaml"), text);
  }

  CommandRun reproduce(String... words) {
    List<String> all = new ArrayList<>(List.of("reproduce"));
    all.addAll(List.of(words));
    all.addAll(List.of("--claims", folder.resolve("sweeps/claims").toString()));
    all.addAll(List.of("--data", folder.resolve("data").toString()));
    all.addAll(List.of("--output", folder.resolve("out").toString()));
    return CommandRun.of(all.toArray(String[]::new));
  }

  ObjectNode document() throws IOException {
    return Json.read(Files.readString(folder.resolve("out/table.json")));
  }

  static JsonNode claim(ObjectNode document, String name) {
    for (JsonNode claim : document.path("claims")) {
      if (claim.path("name").asString().equals(name)) {
        return claim;
      }
    }
    throw new AssertionError("no claim " + name);
  }
}
