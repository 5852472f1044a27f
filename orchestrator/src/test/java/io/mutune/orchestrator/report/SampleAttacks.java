package io.mutune.orchestrator.report;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents of every attack that a page has to show well. */
final class SampleAttacks {
  private SampleAttacks() {}

  /** With the number of charts that each has. */
  static Map<ObjectNode, Integer> all() {
    Map<ObjectNode, Integer> all = new LinkedHashMap<>();
    all.put(canary(), 2);
    all.put(membership(), 1);
    all.put(neighbours(), 1);
    return all;
  }

  private static ObjectNode begin(String attack) {
    return Json.document()
        .put("attack", attack)
        .put("name", "attacked-study-with-a-rather-long-name")
        .put("notice", "an attack on rows that the sweep declares public")
        .put("method", "noisy-gd")
        .put("strategy", "scale-free")
        .put("rows", 1300)
        .put("seed", 7);
  }

  private static void bound(ObjectNode json, double guaranteed, double shown) {
    json.putObject("guaranteed").put("epsilon", guaranteed).put("delta", 1e-5);
    json.putObject("lowerBound").put("epsilon", shown).put("confidence", 0.99);
  }

  /** TPR = FPR^power. */
  private static void curve(ArrayNode curves, String name, double power) {
    ObjectNode curve = curves.addObject().put("name", name).put("auc", 1 / (1 + power));
    ArrayNode few = curve.putArray("truePositives");
    for (double at : new double[] {0.001, 0.01, 0.1}) {
      few.addObject().put("at", at).put("rate", Math.pow(at, power));
    }
    ArrayNode points = curve.putArray("points");
    for (int i = 0; i <= 200; i++) {
      points.addArray().add(i / 200.0).add(Math.pow(i / 200.0, power));
    }
  }

  static ObjectNode canary() {
    ObjectNode json = begin("canary").put("canaries", "gradient").put("coins", 600);
    json.put("guesses", 240).put("right", 190);
    bound(json, 7.999999, 0.6123456);
    curve(json.putArray("curves"), "canaries", 0.6);
    return json;
  }

  static ObjectNode membership() {
    ObjectNode json = begin("membership");
    json.putObject("guaranteed").put("epsilon", 2.0).put("delta", 1e-5);
    ArrayNode curves = json.putArray("curves");
    curve(curves, "loss threshold", 0.9);
    curve(curves, "likelihood ratio", 0.8);
    return json;
  }

  static ObjectNode neighbours() {
    ObjectNode json = begin("neighbours").put("runs", 100);
    bound(json, 2, 0.5);
    json.putObject("rowThatAddsNothing").put("released", "same").put("compared", 13);
    ArrayNode numbers = json.putArray("numbers");
    for (int i = 0; i < 16; i++) {
      numbers
          .addObject()
          .put("number", i == 0 ? "likelihood ratio of the noisy sums" : "score of trial " + i)
          .put("without", 0.5)
          .put("with", 0.6)
          .put("epsilonAtLeast", 0.5 / (i + 1))
          .put("covered", i != 3);
    }
    return json;
  }
}
