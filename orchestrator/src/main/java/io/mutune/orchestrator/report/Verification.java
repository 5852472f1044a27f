package io.mutune.orchestrator.report;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether a study's folder, wherever it is now, is what its ledger and its card say.
 *
 * @param checked what was looked at
 * @param problems each one sentence; none where all agrees
 * @param notProved what that leaves open
 */
public record Verification(
    boolean agrees, List<String> checked, List<String> problems, List<String> notProved)
    implements Document {
  private static final String NO_KEY =
      "who wrote these files: a digest and a ledger's hash have no key, so whoever can change all of"
          + " them can make others that agree; compare the ledger's head with one that its owner"
          + " has published elsewhere";
  private static final String NO_LEDGER =
      "that every release was charged: the ledger was not looked at, and the charges are those that"
          + " the statement itself names";
  private static final String NO_CARD =
      "what model.json and result.json say beside: there is no card with digests of them (mutune"
          + " card makes one)";
  private static final String NO_ROWS = "what the rows were, and that the code did what it says";

  /** Of a folder alone, for whoever does not have the store. */
  public static Verification of(Path folder) throws IOException {
    List<String> checked = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    ObjectNode statement = ModelCard.document(folder, "statement.json");
    checked.add("the statement's total, computed again from the charges that it names");
    try {
      problems.addAll(PublishedStudy.alone(statement));
    } catch (JacksonException | IllegalArgumentException e) {
      problems.add(folder.resolve("statement.json") + " is no statement");
    }
    return with(folder, checked, problems, NO_LEDGER, NO_KEY, NO_ROWS);
  }

  /** Of a folder and the store with its ledger. */
  public static Verification of(Path folder, StudyStore store) throws IOException {
    List<String> checked = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    String id = ModelCard.document(folder, "result.json").path("study").asString("");
    checked.add("the ledger's chain, and its total, computed again by a second route");
    checked.add("the statement against that total, its charges and its place in the ledger");
    checked.add("the model against the digest that the ledger has of it");
    try {
      Optional<StudyRecord> record = store.study(id);
      if (record.isEmpty()) {
        problems.add("the store does not know the study '" + id + "'");
      } else {
        problems.addAll(
            PublishedStudy.audit(store, Study.ofRecord(record.get()), folder).problems());
      }
    } catch (InvalidSweepException | OverBudgetException e) {
      problems.add("the study cannot be planned again: " + e.getMessage());
    } catch (StoreException e) {
      if (!e.isDamage()) {
        throw e;
      }
      problems.add(String.valueOf(e.getMessage()));
    }
    return with(folder, checked, problems, NO_KEY, NO_ROWS);
  }

  /** With what the card tells, if there is one. */
  private static Verification with(
      Path folder, List<String> checked, List<String> problems, String... open) throws IOException {
    List<String> notProved = new ArrayList<>(List.of(open));
    if (Files.exists(folder.resolve(ModelCard.JSON))) {
      card(folder, checked, problems);
    } else {
      notProved.add(0, NO_CARD);
    }
    return new Verification(problems.isEmpty(), checked, problems, notProved);
  }

  /** Holds the card against the files beside it. */
  private static void card(Path folder, List<String> checked, List<String> problems)
      throws IOException {
    checked.add("the card's digests, and its figures against the documents");
    ObjectNode card = ModelCard.document(folder, ModelCard.JSON);
    boolean whole = true;
    for (Map.Entry<String, JsonNode> file : ModelCard.digests(card).properties()) {
      String name = file.getKey();
      try {
        if (name.contains("/") || name.contains("\\")) {
          problems.add("the card names a file outside of its folder: " + name);
        } else if (!ModelCard.digest(folder.resolve(name)).equals(file.getValue().asString(""))) {
          problems.add(name + " is not the one whose digest is in the card");
        }
      } catch (NoSuchFileException e) {
        problems.add(name + " is missing, and the card has its digest");
        whole = false;
      }
    }
    if (!whole) {
      return;
    }
    ObjectNode made = ModelCard.of(folder);
    if (card.has("intendedUse")) {
      made.set("intendedUse", card.path("intendedUse"));
    }
    if (!Json.write(made).equals(Json.write(card))) {
      problems.add("the card's figures are not those of the documents beside it");
    }
  }

  /** For people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    checked.forEach(line -> text.append("checked:    ").append(line).append('\n'));
    problems.forEach(line -> text.append("PROBLEM:    ").append(line).append('\n'));
    notProved.forEach(line -> text.append("not proved: ").append(line).append('\n'));
    text.append(agrees ? "Everything agrees.\n" : "NOT EVERYTHING AGREES.\n");
    return text.toString();
  }
}
