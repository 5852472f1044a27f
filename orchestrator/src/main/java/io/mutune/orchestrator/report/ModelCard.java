package io.mutune.orchestrator.report;

import io.mutune.accountant.Epsilon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.commons.codec.digest.DigestUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What goes along with a model to whoever uses it: made of a finished study's documents alone, all
 * of which are public, and bound to them by their digests.
 */
public final class ModelCard {
  /** In a study's folder. */
  public static final String JSON = "card.json";

  /** The same for people. */
  public static final String TEXT = "card.md";

  private static final String DIGESTS = "digests";
  private static final List<String> FILES =
      List.of(
          "model.npz", "model.json", "statement.json", "result.json", "plan.json", "sweep.yaml");

  private ModelCard() {}

  /**
   * The card of the study that left this folder.
   *
   * @throws IOException if the folder lacks a document, or has one that is none
   */
  public static ObjectNode of(Path folder) throws IOException {
    ObjectNode statement = document(folder, "statement.json");
    ObjectNode result = document(folder, "result.json");
    ObjectNode model = document(folder, "model.json");
    ObjectNode card = Json.document();
    copy(result, card, "study", "name");
    copy(statement, card, "guarantee", "why", "epsilon", "delta", "mu", "adjacency", "unit");
    ObjectNode data = card.putObject("data");
    copy(document(folder, "plan.json"), data, "rows");
    copy(model, data, "classes", "target");
    data.set("form", model.path("data"));
    ObjectNode training = card.putObject("training");
    copy(result, training, "strategy", "method");
    copy(model, training, "loss", "classWeights", "features");
    copy(result, card, "test", "testAccuracy", "testError", "privateFigures");
    if (card.get("test") instanceof ObjectNode test) {
      test.remove(List.of("confusion", "curves"));
    }
    card.put("intendedUse", "");
    card.set("notCovered", statement.path("excluded"));
    copy(statement, card, "ledger");
    ObjectNode digests = card.putObject(DIGESTS);
    for (String file : FILES) {
      digests.put(file, digest(folder.resolve(file)));
    }
    return card;
  }

  private static void copy(ObjectNode from, ObjectNode to, String... keys) {
    for (String key : keys) {
      JsonNode value = from.get(key);
      if (value != null) {
        to.set(key, value.deepCopy());
      }
    }
  }

  static ObjectNode document(Path folder, String name) throws IOException {
    try {
      return Json.read(Files.readString(folder.resolve(name)));
    } catch (JacksonException e) {
      throw new IOException(folder.resolve(name) + ": is no document of a study", e);
    }
  }

  static String digest(Path file) throws IOException {
    return DigestUtils.sha256Hex(Files.readAllBytes(file));
  }

  /** The files that it names with the digests that they should have. */
  static JsonNode digests(ObjectNode card) {
    return card.path(DIGESTS);
  }

  /** For people, as Markdown. */
  public static String text(ObjectNode card) {
    StringBuilder text = new StringBuilder();
    text.append("# Model card: ").append(value(card, "name")).append("\n\n");
    line(text, "Study", value(card, "name") + "-" + value(card, "study"));
    text.append("\n## Guarantee\n\n");
    if (!card.path("guarantee").asString("").equals("holds")) {
      text.append("**THE STATED EPSILON DOES NOT HOLD**: ").append(value(card, "why"));
      text.append("\n\n");
    }
    line(text, "Epsilon", DisplayNumber.cost(Epsilon.of(card.path("epsilon").asDouble())));
    line(text, "Delta", value(card, "delta"));
    line(text, "Protected", value(card, "unit") + ", " + value(card, "adjacency") + " neighbours");
    text.append("\nNot covered:\n\n");
    card.path("notCovered").forEach(item -> text.append("- ").append(item.asString()).append('\n'));
    text.append("\n## Data\n\n");
    JsonNode data = card.path("data");
    line(text, "Rows", data.path("rows").asString() + ", as stated in public");
    if (data.has("classes")) {
      line(text, "Classes", joined(data.path("classes")));
    } else {
      JsonNode target = data.path("target");
      line(text, "Target", target.path("min") + " to " + target.path("max"));
    }
    for (JsonNode column : data.path("form").path("table").path("columns")) {
      line(text, "Column " + value(column, "name"), value(column, "type"));
    }
    text.append("\n## Training\n\n");
    JsonNode training = card.path("training");
    line(text, "Tuned by", value(training, "strategy"));
    line(text, "Method", value(training, "method") + ", loss " + value(training, "loss"));
    for (JsonNode map : training.path("features")) {
      line(text, "Features", value(map, "type"));
    }
    text.append("\n## Test\n\n").append(test(card));
    text.append("\n## Intended use\n\nTo be written by whoever passes the model on.\n");
    text.append("\n## Files\n\nSHA-256 of the documents that this card was made from:\n\n");
    digests(card)
        .properties()
        .forEach(file -> line(text, file.getKey(), "`" + file.getValue().asString() + "`"));
    JsonNode ledger = card.path("ledger");
    if (ledger.has("head")) {
      line(
          text,
          "ledger",
          "entry %s is `%s`".formatted(value(ledger, "entries"), value(ledger, "head")));
    }
    text.append(
        "\n`mutune verify` holds the files against these digests and the ledger. A digest has no"
            + " key: it shows\nthat files belong together, not who wrote them.\n");
    return text.toString();
  }

  private static String test(ObjectNode card) {
    StringBuilder text = new StringBuilder();
    JsonNode test = card.path("test");
    if (test.isMissingNode()) {
      String figure = card.has("testAccuracy") ? "testAccuracy" : "testError";
      return card.has(figure)
          ? "- "
              + figure
              + ": "
              + value(card, figure)
              + ", a noisy figure of rows that are charged\n"
          : "The study has no test rows.\n";
    }
    line(text, "Public test rows", value(test, "rows"));
    for (String figure : List.of("accuracy", "meanAbsoluteError")) {
      JsonNode found = test.path(figure);
      if (found.has("value")) {
        line(
            text,
            figure,
            "%s (95%% interval %s to %s)"
                .formatted(value(found, "value"), value(found, "low"), value(found, "high")));
      }
    }
    for (String figure : List.of("balancedAccuracy", "macroF1", "meanSquaredError", "r2")) {
      if (test.has(figure)) {
        line(text, figure, value(test, figure));
      }
    }
    JsonNode baseline = test.path("baseline");
    line(
        text,
        "Baseline",
        value(baseline, "value") + ", by always saying " + value(baseline, "says"));
    return text.toString();
  }

  private static String joined(JsonNode texts) {
    StringBuilder all = new StringBuilder();
    texts.forEach(text -> all.append(all.isEmpty() ? "" : ", ").append(text.asString()));
    return all.toString();
  }

  private static String value(JsonNode node, String key) {
    return node.path(key).asString("");
  }

  private static void line(StringBuilder text, String what, String value) {
    text.append(String.format(Locale.ROOT, "- %s: %s%n", what, value).replace("\r", ""));
  }
}
