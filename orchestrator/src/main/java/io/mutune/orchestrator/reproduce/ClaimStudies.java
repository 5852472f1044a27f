package io.mutune.orchestrator.reproduce;

import io.mutune.orchestrator.attack.AttackedSweep;
import io.mutune.orchestrator.attack.MembershipAttack;
import io.mutune.orchestrator.compare.Journal;
import io.mutune.orchestrator.plan.NoiseLevels;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyBatch;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.gradient.RowCosts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The studies of one claim, those aside that the journal has. */
record ClaimStudies(
    ClaimedMetric figure,
    FileOwners owners,
    RunEnvironment environment,
    Journal<ClaimRepeat> journal) {
  /**
   * A study that has its place.
   *
   * @param which it is, in words
   */
  record Planned(String which, String text, SweepContext context, SweepDefinition sweep) {}

  private record Entry(Planned planned, String key) {}

  /** Studies that share their rows. */
  private record Group(List<Entry> entries, List<Study> studies) {}

  /**
   * How they end.
   *
   * @param ways lists of studies, each of which differ in their seeds and rows alone
   * @return as many lists
   */
  List<List<ClaimRepeat>> of(List<List<Planned>> ways) throws IOException {
    List<Group> groups = new ArrayList<>();
    List<List<String>> keys = new ArrayList<>();
    for (List<Planned> studies : ways) {
      List<Entry> entries = new ArrayList<>();
      for (Planned study : studies) {
        entries.add(new Entry(study, key(study)));
      }
      keys.add(entries.stream().map(Entry::key).toList());
      groups.addAll(
          planned(entries.stream().filter(entry -> journal.find(entry.key()).isEmpty()).toList()));
    }
    run(groups);
    return keys.stream()
        .map(way -> way.stream().map(key -> journal.find(key).orElseThrow()).toList())
        .toList();
  }

  /** By everything that its figure follows from: the sweep, and the bytes of its files. */
  private String key(Planned study) throws IOException {
    String files = StudyDataFiles.of(owners, study.sweep()).digests();
    return Journal.key(figure.key() + '\n' + study.text() + files);
  }

  /** Where those end that are on the rows of the first and share its passes. */
  private static int endOfGroup(List<Entry> entries, int from) {
    SweepDefinition first = entries.get(from).planned().sweep();
    List<DataSource> rows = first.data().sources();
    int most = StudyBatch.together(first);
    int to = from + 1;
    while (to < entries.size()
        && to - from < most
        && entries.get(to).planned().sweep().data().sources().equals(rows)) {
      to++;
    }
    return to;
  }

  private static List<Group> planned(List<Entry> entries) {
    List<Group> groups = new ArrayList<>();
    // The noise of the first plan, which is that of the next one unless its rows are others.
    Optional<NoiseLevels> noise = Optional.empty();
    for (int from = 0, to; from < entries.size(); from = to) {
      to = endOfGroup(entries, from);
      List<Study> studies = new ArrayList<>();
      for (Entry entry : entries.subList(from, to)) {
        Planned planned = entry.planned();
        StudyPlan plan = StudyPlan.of(planned.sweep(), noise);
        noise = plan.noiseLevels();
        Path output = planned.sweep().output().directory();
        studies.add(Study.create(plan, planned.text(), planned.context(), output));
      }
      groups.add(new Group(entries.subList(from, to), studies));
    }
    return groups;
  }

  /** As many at a time as there are processors: on few rows a study seldom uses two. */
  private void run(List<Group> groups) throws IOException {
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      groups.forEach(group -> tasks.add(() -> run(group)));
      for (Future<Integer> ended : threads.invokeAll(tasks)) {
        ended.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StudyInterruptedException();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdown();
    }
  }

  /** How many studies have ended. */
  private int run(Group group) throws IOException {
    List<Entry> entries = group.entries();
    try (StudyStore store = Stores.inMemory(owners)) {
      SweepDefinition rows = entries.get(0).planned().sweep();
      long start = System.nanoTime();
      List<StudyResult> results = new StudyBatch(store, environment, rows).audited(group.studies());
      double seconds = (System.nanoTime() - start) / 1e9 / entries.size();
      for (int i = 0; i < entries.size(); i++) {
        keep(entries.get(i), repeat(entries.get(i), results.get(i), seconds));
      }
    }
    return entries.size();
  }

  private synchronized void keep(Entry entry, ClaimRepeat ended) throws IOException {
    journal.add(entry.key(), entry.planned().which(), ended);
  }

  private ClaimRepeat repeat(Entry entry, StudyResult result, double seconds) throws IOException {
    Planned planned = entry.planned();
    return ClaimRepeat.of(
        result,
        (model, test) ->
            figure.of(
                test,
                new ClaimedMetric.OpenRows() {
                  @Override
                  public double membership() throws IOException {
                    return MembershipAttack.lossArea(
                        new AttackedSweep(
                            planned.sweep(), planned.text(), planned.context(), owners),
                        model,
                        result.features());
                  }

                  @Override
                  public double middleEpsilon() throws IOException {
                    return ClaimStudies.middleEpsilon(planned.sweep());
                  }
                }),
        seconds);
  }

  /**
   * The ε in the middle of all, the upper of two, as {@code output.perInstance} says of open rows.
   *
   * @param sweep of a study that has ended
   * @throws ClaimsException if it keeps no such figures, or its rows need protection
   */
  private static double middleEpsilon(SweepDefinition sweep) throws IOException {
    Path file =
        sweep
            .output()
            .perInstance()
            .filter(path -> sweep.data().declared().isOpen())
            .orElseThrow(
                () -> new ClaimsException("a claim on rows' epsilon has output.perInstance"));
    double[] epsilons = RowCosts.epsilons(file);
    if (epsilons.length == 0) {
      throw new ClaimsException("output.perInstance has no row");
    }
    Arrays.sort(epsilons);
    return epsilons[epsilons.length / 2];
  }
}
