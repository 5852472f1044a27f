package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.FinishedStudyFigures;
import io.mutune.orchestrator.document.GuaranteeNote;
import io.mutune.orchestrator.document.StatusDocument;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers requests for lists of studies: some of them, in the order that is asked for. */
final class StudyListing {
  private static final int MOST_LISTED = 1000;
  private static final int MOST_SKIPPED = 999_999_999;
  private static final int LONGEST_TEXT = 200;
  private static final String LISTED = "100";

  /** Of these a few figures each are kept: some megabytes. */
  private static final int MOST_KNOWN = 20_000;

  private static final List<String> STATES =
      Stream.concat(
              Stream.of(StudyState.values()).map(StudyState::key), Stream.of(Study.INTERRUPTED))
          .toList();

  private final StudyStore store;
  private final Snapshots snapshots;

  private final Map<String, FinishedStudyFigures> ended = new ConcurrentHashMap<>();

  StudyListing(StudyStore store, Snapshots snapshots) {
    this.store = store;
    this.snapshots = snapshots;
  }

  /** Lists studies, the newest first where no other order is asked for. */
  void list(Context ctx) {
    int limit = number(ctx, "limit", LISTED, 1, MOST_LISTED);
    int offset = number(ctx, "offset", "0", 0, MOST_SKIPPED);
    List<StudyRecord> all = new ArrayList<>(store.studies());
    Collections.reverse(all);
    Map<String, String> accounts = AccountPages.ofStudies(store);
    List<StudyRecord> studies = sorted(ctx, chosen(ctx, all, accounts));
    int first = Math.min(offset, studies.size());
    int end = Math.min(studies.size(), first + limit);
    ObjectNode json = Json.document();
    json.put("all", all.size()).put("matching", studies.size());
    ArrayNode array = json.putArray("studies");
    Map<String, Instant> scheduled = StudyQueue.scheduled(store);
    boolean waits = true;
    for (StudyRecord study : studies.subList(first, end)) {
      ObjectNode summary = summary(study, Optional.ofNullable(accounts.get(study.id())));
      // Where one is not planned in time the list does not wait for the others either.
      waits = waits && (!study.state().isOpen() || isProgressPut(summary, study));
      Snapshots.putNext(summary, study, scheduled);
      array.add(summary);
    }
    StudyPages.answer(ctx, json);
  }

  private static int number(Context ctx, String name, String usual, int least, int most) {
    String text = Optional.ofNullable(ctx.queryParam(name)).orElse(usual);
    if (!text.matches("[0-9]{1,9}")
        || Integer.parseInt(text) < least
        || Integer.parseInt(text) > most) {
      throw new HttpProblem(400, name + " is a number from " + least + " to " + most);
    }
    return Integer.parseInt(text);
  }

  /** Those in the state that is asked for, with the text in their name, id or account. */
  private List<StudyRecord> chosen(
      Context ctx, List<StudyRecord> all, Map<String, String> accounts) {
    String text = Optional.ofNullable(ctx.queryParam("text")).orElse("").toLowerCase(Locale.ROOT);
    String state = Optional.ofNullable(ctx.queryParam("state")).orElse("");
    if (text.length() > LONGEST_TEXT) {
      throw new HttpProblem(400, "text has at most " + LONGEST_TEXT + " characters");
    }
    if (!state.isEmpty() && !STATES.contains(state)) {
      throw new HttpProblem(400, "state is one of " + String.join(", ", STATES));
    }
    return all.stream()
        .filter(study -> state.isEmpty() || Study.stateOf(store, study).equals(state))
        .filter(
            study ->
                text.isEmpty()
                    || (study.name()
                            + "-"
                            + study.id()
                            + " "
                            + accounts.getOrDefault(study.id(), ""))
                        .toLowerCase(Locale.ROOT)
                        .contains(text))
        .toList();
  }

  private List<StudyRecord> sorted(Context ctx, List<StudyRecord> studies) {
    String asked = Optional.ofNullable(ctx.queryParam("sort")).orElse("newest");
    if (asked.equals("newest")) {
      return studies;
    }
    Comparator<StudyRecord> order =
        switch (asked) {
          case "name" -> Comparator.comparing(StudyRecord::name);
          case "accuracy" -> smallest(StudyListing::failing);
          case "epsilon" -> smallest(FinishedStudyFigures::guaranteed);
          case "seconds" -> smallest(FinishedStudyFigures::seconds);
          default ->
              throw new HttpProblem(400, "sort is one of newest, name, accuracy, epsilon, seconds");
        };
    return studies.stream().sorted(order).toList();
  }

  /** Below 0 by the accuracy; errors of real targets come behind, the smallest first. */
  private static OptionalDouble failing(FinishedStudyFigures figures) {
    return figures.accuracy().isPresent()
        ? OptionalDouble.of(-figures.accuracy().getAsDouble())
        : figures.error();
  }

  private Comparator<StudyRecord> smallest(Function<FinishedStudyFigures, OptionalDouble> figure) {
    return Comparator.comparingDouble(
        study ->
            figures(study).map(figure).orElse(OptionalDouble.empty()).orElse(Double.MAX_VALUE));
  }

  private Optional<FinishedStudyFigures> figures(StudyRecord study) {
    Optional<FinishedStudyFigures> figures = Optional.ofNullable(ended.get(study.id()));
    if (figures.isPresent()) {
      return figures;
    }
    figures = FinishedStudyFigures.of(study);
    if (ended.size() >= MOST_KNOWN) {
      ended.clear();
    }
    figures.ifPresent(found -> ended.put(study.id(), found));
    return figures;
  }

  /** Whether the study's progress was found in time, or there is none to be found. */
  private boolean isProgressPut(ObjectNode json, StudyRecord study) {
    try {
      snapshots.ifPlanned(study.id()).ifPresent(snapshot -> putProgress(json, snapshot));
      return true;
    } catch (HttpProblem e) {
      return false;
    }
  }

  /** Describes a study but for its progress: a list makes no plans of studies that ended. */
  private ObjectNode summary(StudyRecord study, Optional<String> account) {
    ObjectNode json = Json.object();
    json.put("study", study.id()).put("name", study.name());
    json.put("state", Study.stateOf(store, study));
    json.put("created", study.created().toString());
    json.put("queued", study.queued());
    account.ifPresent(name -> json.put("account", name));
    snapshots.putReason(json, study);
    figures(study).ifPresent(figures -> json.setAll(Json.tree(figures)));
    json.put("report", hasReport(study));
    return json;
  }

  private static void putProgress(ObjectNode json, Snapshots.Snapshot snapshot) {
    StatusDocument status = snapshot.status();
    json.put("strategy", status.study().sweep().search().name());
    json.put("method", status.study().sweep().train().method().name());
    status.putSecretRuns(json);
    json.put(
        "runsDone", status.runs().stream().filter(r -> r.record().state().isTrained()).count());
    json.put("runs", status.runs().size());
    if (status.steps().isPresent()) {
      json.put("steps", status.steps().getAsLong()).put("stepsBegun", status.stepsBegun());
    }
    Snapshots.putSecondsLeft(json, json.path("state").asString(), status);
    json.put("epsilonSpent", snapshot.epsilonSpent().value());
    json.setAll(Json.tree(GuaranteeNote.of(VoidReasons.of(status.study().plan()))));
    json.put("epsilon", status.spending().budget().epsilon().value());
    json.put("delta", status.spending().budget().delta().value());
  }

  private static boolean hasReport(StudyRecord study) {
    return study.state() == StudyState.FINISHED && StudyPages.isLeft(study, "report.html");
  }
}
