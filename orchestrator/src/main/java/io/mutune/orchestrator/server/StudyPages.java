package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.report.ServedCharts;
import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Statements;
import io.mutune.orchestrator.study.Study;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers requests about studies. */
record StudyPages(StudyStore store, Snapshots snapshots, PlanningLimit planning) {
  /** A study that an adoption ended may have been charged more than its ledger has. */
  private static final String LOST =
      "the study's ledger lost entries when its store was put back, and what they charged is not"
          + " in this figure; its data set's account holds it";

  void status(Context ctx) {
    ctx.contentType("application/json").result(snapshots.of(ctx.pathParam("id")).json());
  }

  /** Makes the statement from the ledger so far; none if the ledger is not what was written. */
  void statement(Context ctx) throws IOException {
    String caller = Authentication.callerOf(ctx).name();
    Study study = snapshots.study(caller, snapshots.find(ctx.pathParam("id")));
    LedgerHead before;
    List<Charge> found;
    do {
      before = store.ledger(study.id()).requireHead(study.id());
      found = store.charges(study.id()).stream().map(StoredCharge::charge).toList();
    } while (!before.equals(store.ledger(study.id()).requireHead(study.id())));
    LedgerHead ledger = before;
    List<Charge> charges = found;
    boolean lost = store.adoptions().stream().anyMatch(line -> line.contains(study.id()));
    StatementDocument document =
        planning.within(
            caller,
            () -> {
              PrivacyStatement statement = Statements.of(study, charges);
              return StatementDocument.of(
                  lost ? statement.withVoid(LOST) : statement,
                  study.plan(),
                  ledger,
                  charges.size());
            });
    answer(ctx, document);
  }

  void ledger(Context ctx) {
    StudyRecord study = snapshots.find(ctx.pathParam("id"));
    ObjectNode json = Json.document().put("study", study.id());
    ArrayNode array = json.putArray("charges");
    for (StoredCharge charge : store.charges(study.id())) {
      array.add(Json.tree(StatementDocument.ChargeEntry.of(charge)));
    }
    answer(ctx, json);
  }

  /**
   * Returns what was spent after each charge, in μ if the plan has one, else one figure for all.
   */
  void budget(Context ctx) {
    Snapshots.Snapshot snapshot = snapshots.of(ctx.pathParam("id"));
    Study study = snapshot.status().study();
    List<StoredCharge> charges = store.charges(study.id());
    boolean inMu = study.plan().isInMu();
    ObjectNode json = Json.document().put("study", study.id()).put("name", study.record().name());
    json.put("unit", inMu ? "mu" : "epsilon");
    Budget budget = study.plan().budget();
    json.put("budget", inMu ? budget.cap().mu().value() : budget.epsilon().value());
    json.put("begun", study.record().created().toString());
    ArrayNode points = json.putArray("points");
    if (inMu) {
      GaussianDp spent = GaussianDp.NONE;
      for (StoredCharge charge : charges) {
        GaussianDp cost = GaussianDp.of(charge.charge().mechanism().mu().orElseThrow());
        spent = GaussianDp.compose(List.of(spent, cost));
        point(points, charge, spent.mu().value());
      }
    } else if (!charges.isEmpty()) {
      point(points, charges.get(charges.size() - 1), snapshot.epsilonSpent().value());
    }
    answer(ctx, json);
  }

  private static void point(ArrayNode points, StoredCharge charge, double spent) {
    points
        .addObject()
        .put("time", charge.reserved().toString())
        .put("what", charge.charge().what())
        .put("spent", spent);
  }

  /**
   * Answers with the sweep as it was submitted. That of 'mutune run' names files and programs of
   * the machine, as no submitted one can.
   */
  void sweep(Context ctx) {
    StudyRecord study = snapshots.find(ctx.pathParam("id"));
    if (!study.queued() && Authentication.callerOf(ctx).role() != Role.ADMIN) {
      throw new HttpProblem(
          403, "this sweep was not submitted and may name files: only administrators see it");
    }
    ctx.contentType("application/yaml; charset=utf-8").result(study.definition());
  }

  void result(Context ctx) throws IOException {
    ctx.contentType("application/json").result(file(ctx, ResultDocument.FILE));
  }

  /**
   * Answers with the report of a finished study. It is sandboxed: its scripts can send nothing to
   * this server.
   */
  void report(Context ctx) throws IOException {
    byte[] page = file(ctx, "report.html");
    ctx.header("Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'none'");
    ctx.contentType("text/html; charset=utf-8").result(page);
  }

  /** Answers with what the report of a finished study draws. */
  void charts(Context ctx) throws IOException {
    finished(ctx, PlanDocument.FILE);
    finished(ctx, StatementDocument.FILE);
    Path result = finished(ctx, ResultDocument.FILE);
    answer(ctx, ServedCharts.of(result.resolveSibling("")));
  }

  private byte[] file(Context ctx, String name) throws IOException {
    try (InputStream in = Files.newInputStream(finished(ctx, name), LinkOption.NOFOLLOW_LINKS)) {
      return in.readAllBytes();
    }
  }

  private Path finished(Context ctx, String name) {
    StudyRecord study = snapshots.find(ctx.pathParam("id"));
    Path file = study.output().resolve(name);
    if (study.state() != StudyState.FINISHED) {
      throw new HttpProblem(
          409, "study " + study.id() + " is " + study.state().key() + ": it has no result");
    }
    if (!isLeft(study, name)) {
      throw new HttpProblem(
          404,
          "the results of study "
              + study.id()
              + " are no longer here, or behind a link, which no server follows");
    }
    return file;
  }

  /**
   * Whether a study has left a file of this name. A link may be of whoever else may write there,
   * and lead to a file of this server's user.
   */
  static boolean isLeft(StudyRecord study, String name) {
    return Files.isRegularFile(study.output().resolve(name), LinkOption.NOFOLLOW_LINKS)
        && !Files.isSymbolicLink(study.output());
  }

  static void answer(Context ctx, Object json) {
    ctx.contentType("application/json").result(Json.write(json));
  }
}
