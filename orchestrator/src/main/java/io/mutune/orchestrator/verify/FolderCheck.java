package io.mutune.orchestrator.verify;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ProvenanceDocument;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.TrialsCsv;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.MutuneBuild;
import io.mutune.orchestrator.study.Provenance;
import io.mutune.orchestrator.study.Statements;
import io.mutune.orchestrator.study.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds the documents of a folder against each other: each that follows from others is made again.
 */
final class FolderCheck {
  private static final String STATEMENT_TEXT = "statement.txt";
  private static final String TRIALS = "trials.csv";
  private static final String SWEEP = "sweep.yaml";
  private static final String MU = "mu";
  private static final String GUARANTEE = "guarantee";
  private static final String FINAL = "final";
  private static final String SCORE = "score";
  private static final String TRIAL = "trial";

  /** What every version has left and is read only where it is there; the store has the sweep. */
  private static final List<String> DOCUMENTS =
      List.of(PlanDocument.FILE, ModelDocument.DESCRIPTION, STATEMENT_TEXT, TRIALS);

  private static final List<String> OTHER_FIGURES =
      List.of("test", "privateTest", "privateFigures", "learningCurve", "releases");

  /** Of a statement, what has a check of its own. */
  private static final Set<String> HELD_ELSEWHERE =
      Set.of("version", "profile", "budget", "charges", "ledger");

  private final Path folder;
  private final ObjectNode statement;
  private final ObjectNode result;
  private final Findings findings;

  /** By the folder itself, until the store says it. */
  private boolean isOfThisBuild;

  /** Whether the documents that follow from the sweep alone were made again. */
  private boolean isMadeAgain;

  /** The folders of its models beside the final one; by the result, until the plan says it. */
  private Set<String> releases;

  /** Of a folder, of which a statement that is missing or is none is told elsewhere. */
  FolderCheck(Path folder, Findings findings) {
    this.folder = folder;
    this.findings = findings;
    this.statement = document(StatementDocument.FILE, new Findings());
    this.result = document(ResultDocument.FILE, findings);
    this.isOfThisBuild = isOfThisBuild(result.path("provenance").path("processes"));
    this.releases = ModelCard.releases(result);
  }

  /** An empty one where there is none. */
  private ObjectNode document(String name, Findings told) {
    ObjectNode document = Json.object();
    boolean isRead = told.reading(name, () -> document.setAll(ModelCard.document(folder, name)));
    if (isRead && document.isEmpty()) {
      told.problem(folder.resolve(name) + ": is no document of a study");
    }
    return document;
  }

  /** That what was named is a model or a document of the study, and that it has no other models. */
  void models(String named) throws IOException {
    if (result.isEmpty() && releases.isEmpty()) {
      return; // Which models it has is not known.
    }
    if (!named.isEmpty()
        && !releases.contains(named)
        && !ModelCard.isOfCard(named)
        && ModelCard.files(folder, releases).stream()
            .noneMatch(file -> file.equals(named) || file.startsWith(named + "/"))) {
      findings.problem(
          named + " is no model or document of this study: it was compared with nothing");
    }
    try (Stream<Path> beside = Files.list(folder)) {
      beside
          .map(path -> String.valueOf(path.getFileName()))
          .filter(name -> ModelCard.isRelease(name) && !releases.contains(name))
          .sorted()
          .map(name -> name + " is the folder of a model that this study does not have")
          .forEach(findings::problem);
    }
  }

  /** What the documents have to be to follow from one another. */
  void together() {
    DOCUMENTS.stream()
        .filter(name -> !isHere(name))
        .map(name -> folder.resolve(name) + ": there is no such file")
        .forEach(findings::problem);
    if (!isHere(SWEEP)) {
      findings.notProved("what sweep.yaml says: it is not here"); // it may name places, as of files
    }
    if (!isMadeAgain) {
      findings.notProved(
          "what plan.json and model.json say: they are made again only with the store, and by the"
              + " build of Mutune that wrote them");
    }
    String holds = PrivacyStatement.Guarantee.HOLDS.key();
    if (statement.has(GUARANTEE)
        && !result.isEmpty()
        && (isOfThisBuild || result.has(GUARANTEE))
        && !result
            .path(GUARANTEE)
            .asString(result.has(GUARANTEE) ? "" : holds)
            .equals(statement.path(GUARANTEE).asString(""))) {
      findings.problem("result.json has another guarantee than the statement");
    }
    if (isHere(STATEMENT_TEXT) && !statement.isEmpty()) {
      findings.reading(STATEMENT_TEXT, this::statementText);
    }
    if (isHere(TRIALS) && !result.isEmpty()) {
      findings.checked(TRIALS + " against the trials of result.json");
      findings.reading(TRIALS, this::trials);
    }
    if (isHere(ModelCard.JSON)) {
      CardCheck card = new CardCheck(folder, statement, result, isOfThisBuild, findings);
      findings.reading(ModelCard.JSON, card::contents);
    } else {
      Stream.of(ModelCard.TEXT, ModelCard.SIGNATURE)
          .filter(this::isHere)
          .forEach(
              name ->
                  findings.problem(
                      name + " is here without the " + ModelCard.JSON + " that it belongs to"));
      findings.notProved(
          "what report.html and the figures say: there is no card with digests of them (mutune"
              + " card makes one)");
    }
  }

  /** What the store has of the study beside its ledger. */
  void against(StudyStore store, Study study) {
    releases =
        study.plan().releases().stream().map(PlannedRelease::folder).collect(Collectors.toSet());
    if (isHere(SWEEP)) {
      findings.checked(SWEEP + " against the store");
      findings.reading(SWEEP, () -> sweep(study));
    }
    weights();
    List<StudyNote> notes = store.notes(study.id());
    JsonNode processes =
        Json.tree(ProvenanceDocument.of(Provenance.processes(notes), List.of())).path("processes");
    isOfThisBuild = isOfThisBuild(processes);
    if (!result.isEmpty()) {
      findings.checked("test figure and scores against the store");
      if (!result.path("study").asString("").equals(study.id())) {
        findings.problem("result.json does not say that it is of this study");
      }
      testFigure(study);
      scores(store, study);
      if (!areFirst(result.path("provenance").path("processes"), processes)) {
        findings.problem("result.json has other processes than the ledger");
      }
      findings.problems(
          new FinalRunCheck(result.path(FINAL), study, isOfThisBuild).problems(notes));
    }
    if (isOfThisBuild) {
      words(store, study);
      isMadeAgain = true;
      List<String> again =
          new ArrayList<>(
              Stream.of(PlanDocument.FILE, ModelDocument.DESCRIPTION)
                  .filter(this::isHere)
                  .toList());
      if (!result.isEmpty()) {
        again.add("name, strategy, method and data set of result.json");
      }
      if (!again.isEmpty()) {
        findings.checked(String.join(", ", again) + ", as this sweep has them");
      }
      SweepDocuments.compare(folder, result, store, study, findings);
    } else {
      findings.notProved("the statement's words: another build of Mutune wrote them");
    }
    findings.notProved(
        "what result.json says beside "
            + (isMadeAgain ? "its name, strategy, method and data set, " : "")
            + "its test figure, the scores of trials, the processes and the point "
            + (isMadeAgain ? "and noise " : "")
            + "of the final run");
  }

  private boolean isHere(String name) {
    return Files.exists(folder.resolve(name));
  }

  /** That a file of weights holds no more than them, of which alone the ledger has a digest. */
  private void weights() {
    Stream.concat(Stream.of(""), releases.stream().sorted().map(release -> release + "/"))
        .map(place -> place + ModelDocument.WEIGHTS_FILE)
        .filter(this::isHere)
        .forEach(name -> findings.reading(name, () -> weights(name)));
  }

  private void weights(String name) throws IOException {
    Path file = folder.resolve(name);
    if (!ModelDocument.hasWeightsAlone(file)) {
      findings.problem(name + " holds another array than 'weights'");
    } else if (!ModelDocument.isAsWrittenHere(file)) {
      findings.notProved(
          "what " + name + " holds beside its weights: its bytes are others than are written here");
    }
  }

  private void sweep(Study study) throws IOException {
    if (!Files.readString(folder.resolve(SWEEP)).equals(study.record().definition())) {
      findings.problem("sweep.yaml is not the sweep of this study");
    }
  }

  private void scores(StudyStore store, Study study) {
    List<Integer> planned = study.plan().trials().stream().map(PlannedTrial::number).toList();
    List<JsonNode> trials = result.path("trials").valueStream().toList();
    if (!trials.stream().map(trial -> trial.path(TRIAL).asInt()).toList().equals(planned)) {
      findings.problem("result.json does not have the trials of this study");
    }
    for (JsonNode trial : trials) {
      int number = trial.path(TRIAL).asInt();
      if (planned.contains(number)
          && !store.trial(study.id(), number).score().equals(Json.number(trial.path(SCORE)))) {
        findings.problem("result.json has a different score for trial %d".formatted(number));
      }
    }
  }

  /** Whether they began the study; one that found its folder written leaves that as it is. */
  private static boolean areFirst(JsonNode said, JsonNode processes) {
    List<JsonNode> all = processes.valueStream().toList();
    List<JsonNode> some = said.valueStream().toList();
    return some.size() <= all.size()
        && some.equals(all.subList(0, some.size()))
        && some.isEmpty() == all.isEmpty();
  }

  /** The figure of test rows that the store has as one number. */
  private void testFigure(Study study) {
    OptionalDouble score = study.record().testAccuracy();
    OptionalDouble error =
        ResultDocument.error(score, study.sweep().data().training().spec().labelling());
    if (!Json.number(result.path("testError")).equals(error)
        || !Json.number(result.path("testAccuracy"))
            .equals(error.isPresent() ? OptionalDouble.empty() : score)) {
      findings.problem("result.json has a different test figure from the store's");
    }
    List<String> others = OTHER_FIGURES.stream().filter(result::has).toList();
    if (!others.isEmpty()) {
      findings.notProved(
          "more figures of test rows in result.json (%s): only the first is compared"
              .formatted(String.join(", ", others)));
    }
  }

  /** What a statement says beside its charges, which another build may say otherwise. */
  private void words(StudyStore store, Study study) {
    if (statement.isEmpty()) {
      return; // That it is none is said.
    }
    findings.checked("the statement's words and totals, as this sweep has them");
    List<Charge> charges = store.charges(study.id()).stream().map(StoredCharge::charge).toList();
    ObjectNode made;
    try {
      PrivacyStatement follows = Statements.of(study, charges);
      LedgerHead head = store.ledger(study.id()).requireHead(study.id());
      made = Json.tree(StatementDocument.of(follows, study.plan(), head, study.plan().size()));
    } catch (IllegalArgumentException | OverBudgetException e) {
      return; // The charges do not add up, which is said.
    }
    findings.problems(SweepDocuments.compare("the statement", statement, made, HELD_ELSEWHERE));
  }

  private void statementText() throws IOException {
    try {
      String made = StatementDocument.read(statement.deepCopy()).text();
      if (Files.readString(folder.resolve(STATEMENT_TEXT)).equals(made)) {
        findings.checked(STATEMENT_TEXT + " against statement.json");
      } else if (isOfThisBuild) {
        findings.problem(STATEMENT_TEXT + " does not say what statement.json does");
      } else {
        findings.notProved("what statement.txt says: another build of Mutune wrote it");
      }
    } catch (JacksonException | IllegalArgumentException e) {
      findings.problem(folder.resolve(StatementDocument.FILE) + " is no statement");
    }
  }

  private static boolean isOfThisBuild(JsonNode processes) {
    MutuneBuild here = MutuneBuild.here();
    return processes
        .valueStream()
        .allMatch(
            p ->
                p.path("mutune").asString("").equals(here.version())
                    && p.path("commit").asString("").equals(here.commit().orElse("")));
  }

  /** Each cell against the figure in result.json, or in the plan. */
  private void trials() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(TRIALS));
    List<JsonNode> known = result.path("trials").valueStream().toList();
    if (lines.size() != known.size() + 1) {
      findings.problem(TRIALS + " does not have the trials of result.json");
      return;
    }
    List<String> head = Arrays.asList(lines.get(0).split(",", -1));
    List<String> named =
        Stream.concat(Stream.of(result.path(FINAL)), known.stream())
            .flatMap(run -> run.propertyNames().stream())
            .toList();
    if (isOfThisBuild && !TrialsCsv.isHead(head, named)) {
      findings.problem(TRIALS + " does not have the columns of a study's trials");
    }
    JsonNode plan =
        isHere(PlanDocument.FILE) ? document(PlanDocument.FILE, findings) : Json.object();
    Set<String> open = new LinkedHashSet<>();
    for (int i = 0; i < known.size(); i++) {
      String[] cells = lines.get(i + 1).split(",", -1);
      String line = TRIALS + ", line %d".formatted(i + 2);
      if (cells.length != head.size()) {
        findings.problem(line + ", has more or fewer cells than columns");
        continue;
      }
      for (int c = 0; c < cells.length; c++) {
        String column = head.get(c);
        JsonNode value = figure(known.get(i), column, plan);
        // Where one of them is missing, a figure is not there that it would have.
        boolean areAllHere = !(column.equals(MU) ? plan : statement).isEmpty();
        if (value.isMissingNode() && !(isOfThisBuild && areAllHere)) {
          open.add(column);
        } else if (!says(cells[c], value)) {
          findings.problem(line + ": '%s' differs".formatted(column));
        }
      }
    }
    if (!open.isEmpty()) {
      findings.notProved(
          "what %s says of %s: no other document has it"
              .formatted(TRIALS, String.join(", ", open)));
    }
  }

  /** What a cell has to say; missing where it has to be empty, if this build wrote it. */
  private JsonNode figure(JsonNode run, String column, JsonNode plan) {
    return switch (column) {
      case "version" -> Json.document().path(column);
      case GUARANTEE -> statement.path(column);
      case MU ->
          plan.path("trials")
              .valueStream()
              .filter(trial -> trial.path(TRIAL).equals(run.path(TRIAL)))
              .findFirst()
              .map(trial -> trial.path(column))
              .orElse(MissingNode.getInstance());
      default -> run.path(column);
    };
  }

  static boolean says(String cell, JsonNode value) {
    try {
      return value.isNumber()
          ? Double.parseDouble(cell) == value.doubleValue()
          : cell.equals(value.asString(""));
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
