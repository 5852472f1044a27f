package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.schedule.Submission;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.trainer.setting.OneLine;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Answers requests to plan, submit, pause, resume and cancel. */
final class Submissions {
  private static final int LONGEST_REASON = 200;

  private final Object door = new Object();
  private final StudyQueue queue;
  private final StudyStore store;
  private final Snapshots snapshots;
  private final ServerSettings settings;
  private final PlanningLimit planning;
  private final Path studies;

  /**
   * @param studies the folder under which studies leave their results
   */
  Submissions(
      StudyQueue queue,
      StudyStore store,
      Snapshots snapshots,
      ServerSettings settings,
      PlanningLimit planning,
      Path studies) {
    this.queue = queue;
    this.store = store;
    this.snapshots = snapshots;
    this.settings = settings;
    this.planning = planning;
    this.studies = studies;
  }

  void plan(Context ctx) throws IOException {
    Submission submission = submission(RequestBody.sweep(ctx));
    StudyPlan plan =
        planning.within(Authentication.callerOf(ctx).name(), () -> queue.plan(submission));
    StudyPages.answer(ctx, PlanDocument.of(plan));
  }

  void submit(Context ctx) throws IOException {
    Submission submission = submission(RequestBody.sweep(ctx));
    requireRoom();
    String caller = Authentication.callerOf(ctx).name();
    planning.within(caller, () -> queue.plan(submission));
    StudyRecord record;
    try {
      record = planning.whole(caller, () -> submitted(submission));
    } catch (IOException e) {
      // The message names files, none of which was read.
      throw new HttpProblem(400, MutuneServer.publicly(words(e)));
    }
    if (record.state() == StudyState.REFUSED) {
      String reason =
          record
              .reason()
              .map(MutuneServer::publicly)
              .orElse("the account that it draws on does not allow its charges");
      throw new HttpProblem(409, "study " + record.id() + " is refused: " + reason);
    }
    ctx.status(201).header("Location", "/api/v1/studies/" + record.id());
    answer(ctx, record);
  }

  private static String words(IOException e) {
    return e instanceof NoSuchFileException missing
        ? missing.getFile() + ": there is no such file"
        : String.valueOf(e.getMessage());
  }

  void cancel(Context ctx) {
    ObjectNode body = RequestBody.json(ctx, "a cancellation", Set.of("reason"));
    String reason = RequestBody.text(body, "reason", "cancelled over HTTP");
    if (reason.length() > LONGEST_REASON || !OneLine.is(reason)) {
      throw new HttpProblem(
          400, "a reason is one line of at most " + LONGEST_REASON + " printed characters");
    }
    answer(ctx, queue.cancel(ctx.pathParam("id"), reason));
  }

  void pause(Context ctx) {
    answer(ctx, queue.pause(ctx.pathParam("id")));
  }

  void resume(Context ctx) {
    String id = ctx.pathParam("id");
    synchronized (door) {
      if (store.study(id).filter(study -> study.state() == StudyState.FAILED).isPresent()) {
        requireRoom();
      }
      answer(ctx, queue.resume(id));
    }
  }

  private void answer(Context ctx, StudyRecord record) {
    snapshots.forget(record.id());
    ObjectNode json = Json.document();
    json.put("study", record.id()).put("name", record.name());
    json.put("state", record.state().key());
    StudyPages.answer(ctx, json);
  }

  /** A sweep names a data set and no path, so none is resolved; no variable is set. */
  private Submission submission(String text) {
    return new Submission("sweep", text, new SweepContext(studies, studies, Map.of()));
  }

  /** Submits one study at a time, so that each counts against the limit before the next. */
  private StudyRecord submitted(Submission submission) throws IOException {
    synchronized (door) {
      requireRoom();
      return queue.submit(submission);
    }
  }

  /** A paused one counts too: it holds its budget, and goes on without being asked about room. */
  private void requireRoom() {
    long waiting = store.queued().stream().filter(study -> study.state().isOpen()).count();
    if (waiting >= settings.limits().waiting()) {
      throw new HttpProblem(
          503, waiting + " studies wait, run or are paused already; try again later");
    }
  }
}
