package io.mutune.orchestrator.report;

import io.mutune.accountant.Epsilon;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.ModelsDocument;
import io.mutune.orchestrator.document.NoisyTestDocument;
import io.mutune.orchestrator.document.NoisyTestFigures;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ReleaseEntry;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.trainer.setting.OneLine;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What goes along with a model to whoever uses it: made of a finished study's documents alone, all
 * of which are public, and bound to them by their digests.
 */
public final class ModelCard {
  /** In a study's folder: the public key, and the signature of the bytes of {@link #JSON}. */
  public static final String SIGNATURE = "card.json.sig";

  public static final String JSON = "card.json";

  /** The same for people. */
  public static final String TEXT = "card.md";

  private static final String DIGESTS = "digests";
  private static final String INTENDED_USE = "\n## Intended use\n\n";

  /** In a card: what somebody wrote into it. */
  public static final String USE = "intendedUse";

  private static final String PEOPLE = "People";
  private static final String AFTER_USE = "\n\n## Files\n\n";
  private static final String NO_FIGURES = "The study has no figures of test rows.";
  private static final String TO_BE_WRITTEN = "To be written by whoever passes the model on.";
  private static final String RELEASE = "release-[0-9]+";
  private static final String RELEASES = "releases";

  /** A line that begins a part of its own, in Markdown, as those of a card do. */
  private static final Pattern HEADING =
      Pattern.compile(
          "^ {0,3}##?([ \\t]|$)|\\S[^\\n]*\\n {0,3}(=+|-+)[ \\t]*$|<h[12]",
          Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

  private static final List<String> FILES =
      List.of(
          ModelDocument.WEIGHTS_FILE,
          ModelDocument.DESCRIPTION,
          StatementDocument.FILE,
          ResultDocument.FILE,
          PlanDocument.FILE,
          "sweep.yaml");

  /** What else a study leaves; whatever somebody puts beside it is not the study's. */
  private static final Pattern MORE =
      Pattern.compile(
          "statement\\.txt|trials\\.csv|report\\.html|figures/[^/]+\\.svg"
              + "|("
              + RELEASE
              + ")/model\\.(npz|bin|json)|model\\.bin");

  private ModelCard() {}

  /**
   * The card of the study that left this folder.
   *
   * @throws IOException if the folder lacks a document, or has one that is none
   */
  public static ObjectNode of(Path folder) throws IOException {
    ObjectNode statement = document(folder, StatementDocument.FILE);
    ObjectNode result = document(folder, ResultDocument.FILE);
    ObjectNode model = document(folder, ModelDocument.DESCRIPTION);
    ObjectNode card = Json.document();
    copy(result, card, "study", "name");
    copy(
        statement,
        card,
        "guarantee",
        "why",
        "epsilon",
        "delta",
        "mu",
        "adjacency",
        "unit",
        "models");
    ObjectNode data = card.putObject("data");
    copy(result, data, "registered");
    copy(document(folder, PlanDocument.FILE), data, "rows");
    copy(model, data, "classes", "target");
    data.set("form", model.path("data"));
    ObjectNode training = card.putObject("training");
    copy(result, training, "strategy", "method");
    copy(model, training, "loss", "classWeights", "features");
    copy(result, card, "test", "privateTest", "privateFigures", RELEASES);
    if (card.get("test") instanceof ObjectNode figures) {
      figures.remove(List.of("confusion", "curves"));
    }
    card.put(USE, "");
    card.set("notCovered", statement.path("excluded"));
    copy(statement, card, "ledger");
    ObjectNode digests = card.putObject(DIGESTS);
    for (String file : files(folder, releases(result))) {
      digests.put(file, digest(folder.resolve(file)));
    }
    return card;
  }

  /** Whether a study leaves a file of this name in its folder. */
  public static boolean isDocument(String name) {
    return FILES.contains(name) || MORE.matcher(name).matches();
  }

  /** Whether a study, or whoever made its card, leaves a file of this name in its folder. */
  public static boolean isLeft(String name) {
    return isDocument(name) || isOfCard(name);
  }

  /** Whether whoever makes a card leaves a file of this name. */
  public static boolean isOfCard(String name) {
    return List.of(JSON, TEXT, SIGNATURE).contains(name);
  }

  /** Whether a folder within a study's has the name of one of a model beside the final one. */
  public static boolean isRelease(String name) {
    return name.matches(RELEASE);
  }

  /** Whether a card has no sense without it. */
  public static boolean isNeeded(String name) {
    return FILES.contains(name) || name.equals(ModelDocument.FILE);
  }

  /** The folders of the models beside the final one, within the study's. */
  public static Set<String> releases(ObjectNode result) {
    Set<String> folders = new LinkedHashSet<>();
    result.path(RELEASES).forEach(release -> folders.add(value(release, "folder")));
    return folders;
  }

  /**
   * Those that every study leaves, and what else of a study is there.
   *
   * @param releases the folders of its models beside the final one
   */
  public static Set<String> files(Path folder, Set<String> releases) throws IOException {
    Set<String> files = new LinkedHashSet<>(FILES);
    try (Stream<Path> tree = Files.walk(folder, 2)) {
      tree.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .filter(name -> isMore(name, releases))
          .sorted()
          .forEach(files::add);
    }
    files.removeIf(
        name ->
            name.endsWith(ModelDocument.WEIGHTS_FILE)
                && Files.exists(folder.resolve(name).resolveSibling(ModelDocument.FILE)));
    return files;
  }

  private static boolean isMore(String name, Set<String> releases) {
    Matcher more = MORE.matcher(name);
    return more.matches() && (more.group(1) == null || releases.contains(more.group(1)));
  }

  private static void copy(ObjectNode from, ObjectNode to, String... keys) {
    for (String key : keys) {
      JsonNode value = from.get(key);
      if (value != null) {
        to.set(key, value.deepCopy());
      }
    }
  }

  public static ObjectNode document(Path folder, String name) throws IOException {
    try {
      return Json.read(Files.readString(folder.resolve(name)));
    } catch (JacksonException | CharacterCodingException e) {
      throw new IOException(folder.resolve(name) + ": is no document of a study", e);
    }
  }

  public static String digest(Path file) throws IOException {
    return DigestUtils.sha256Hex(Files.readAllBytes(file));
  }

  /** The files that it names with the digests that they should have. */
  public static JsonNode digests(ObjectNode card) {
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
    JsonNode registered = data.path("registered");
    if (registered.has("name")) {
      line(
          text,
          "Data set",
          "%s, version %s of its card"
              .formatted(value(registered, "name"), value(registered, "cardVersion")));
      if (!value(registered, "description").isBlank()) {
        line(text, "Described as", DataTable.escaped(oneLine(value(registered, "description"))));
      }
    }
    String counted = StatementDocument.isPerson(value(card, "unit")) ? PEOPLE : "Rows";
    line(text, counted, data.path("rows").asString() + ", as stated in public");
    if (data.has("classes")) {
      line(text, "Classes", joined(data.path("classes")));
    } else {
      JsonNode target = data.path("target");
      line(text, "Target", target.path("min") + " to " + target.path("max"));
    }
    for (JsonNode column : data.path("form").path("table").path("columns")) {
      line(text, "Column " + DataTable.escaped(value(column, "name")), value(column, "type"));
    }
    text.append("\n## Training\n\n");
    JsonNode training = card.path("training");
    line(text, "Tuned by", value(training, "strategy"));
    line(text, "Method", value(training, "method") + ", loss " + value(training, "loss"));
    for (JsonNode map : training.path("features")) {
      line(text, "Features", value(map, "type"));
    }
    text.append("\n## Test\n\n");
    test(text, card);
    releases(text, card);
    text.append(INTENDED_USE);
    String use = value(card, USE);
    text.append(use.isEmpty() ? TO_BE_WRITTEN : use);
    text.append(AFTER_USE);
    text.append("SHA-256 of the documents that this card was made from:\n\n");
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

  private static void test(StringBuilder text, ObjectNode card) {
    Optional<TestDocument> test = read(card, "test", TestDocument.class);
    Optional<NoisyTestDocument> matrix = read(card, "privateTest", NoisyTestDocument.class);
    Optional<NoisyTestFigures> figures = read(card, "privateFigures", NoisyTestFigures.class);
    List<String> sentences = ResultDocument.sentences(test, matrix, figures);
    if (sentences.isEmpty()) {
      text.append(NO_FIGURES).append('\n');
    }
    sentences.forEach(
        sentence -> text.append("- ").append(DataTable.escaped(sentence)).append('\n'));
    Stream.of(
            test.flatMap(TestDocument::classTable),
            matrix.map(NoisyTestDocument::classTable),
            ResultDocument.groups(test, figures))
        .flatMap(Optional::stream)
        .forEach(table -> text.append('\n').append(table.escaped().markdown()));
  }

  private static <T> Optional<T> read(JsonNode from, String key, Class<T> type) {
    return from.get(key) instanceof ObjectNode object
        ? Optional.of(Json.read(object.deepCopy(), type))
        : Optional.empty();
  }

  /** The models beside the final one. */
  private static void releases(StringBuilder text, ObjectNode card) {
    if (!card.has(RELEASES)) {
      return;
    }
    text.append("\n## Other models of the study\n\n");
    Optional<ModelsDocument> costs = read(card, "models", ModelsDocument.class);
    costs.ifPresent(
        all ->
            text.append("An epsilon with the tuning is a guarantee only towards ")
                .append(all.validFor())
                .append(
                    ". This card has figures of\nall models: for whoever reads it the study's epsilon"
                        + " above holds.\n\n"));
    for (JsonNode release : card.path(RELEASES)) {
      line(
          text,
          value(release, "folder"),
          "epsilon %s alone%s%s"
              .formatted(
                  DisplayNumber.epsilon(release.path("run").path("epsilon").asDouble()),
                  costs
                      .flatMap(all -> all.of(value(release, "model")))
                      .map(
                          cost ->
                              ", %s with the tuning"
                                  .formatted(DisplayNumber.epsilon(cost.epsilon())))
                      .orElse(""),
                  read(release, "test", TestDocument.class)
                      .map(test -> ", test " + ReleaseEntry.shown(test))
                      .orElse("")));
    }
  }

  private static String oneLine(String text) {
    return OneLine.of(text.strip().replaceAll("[\\s\u2028\u2029]+", " "));
  }

  /**
   * A card as it is written for people but for what somebody has to write, the intended use, and
   * for escapes. Cards of earlier versions have names as they are, call a number of people one of
   * rows, and lost figures no test rows.
   */
  public static String withoutIntendedUse(ObjectNode document, String text) {
    String card = DataTable.unescaped(text);
    card = card.replace("\nThe study has no test rows.\n", "\n" + NO_FIGURES + "\n");
    if (StatementDocument.isPerson(value(document, "unit"))) {
      card = card.replace("\n- Rows: ", "\n- " + PEOPLE + ": ");
    }
    int from = card.indexOf(INTENDED_USE);
    int to = card.indexOf(AFTER_USE, Math.max(from, 0));
    return from < 0 || to < 0 ? card : card.substring(0, from) + card.substring(to);
  }

  /**
   * What is wrong with the intended use in a card that agrees otherwise: more than itself, or
   * another than the document has, where this has one.
   */
  public static Optional<String> useProblem(ObjectNode document, String card) {
    int from = card.indexOf(INTENDED_USE) + INTENDED_USE.length();
    String use = card.substring(from, Math.max(from, card.indexOf(AFTER_USE, from)));
    String stated = value(document, USE);
    if (HEADING.matcher(use).find()) {
      return Optional.of(
          "card.md has a heading inside its intended use, which ends that section early");
    }
    return stated.isEmpty() || use.equals(TO_BE_WRITTEN) || words(use).equals(words(stated))
        ? Optional.empty()
        : Optional.of("card.md has another intended use than card.json");
  }

  /** However it is set. */
  private static String words(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", " ").strip();
  }

  /** Names, as Markdown shows them. */
  private static String joined(JsonNode texts) {
    StringBuilder all = new StringBuilder();
    texts.forEach(
        text -> all.append(all.isEmpty() ? "" : ", ").append(DataTable.escaped(text.asString())));
    return all.toString();
  }

  static String value(JsonNode node, String key) {
    return node.path(key).asString("");
  }

  static void line(StringBuilder text, String what, String value) {
    text.append(String.format(Locale.ROOT, "- %s: %s%n", what, value).replace("\r", ""));
  }
}
