package io.mutune.orchestrator.schedule;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.report.StudyFolder;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyLock;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.orchestrator.sweep.StudyPlan;
import io.mutune.trainer.model.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An office that runs its studies in this process, one after the other. */
public final class EmbeddedOffice implements StudyOffice {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedOffice.class);

  private final StudyStore store;
  private final Path folder;
  private final Engine engine;
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final Map<String, Future<?>> queue = new ConcurrentHashMap<>();
  private final Set<String> stopped = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  /**
   * Goes on with what an earlier process left unfinished.
   *
   * @param store stays open when the office closes
   * @param folder under which each study leaves its own
   */
  public EmbeddedOffice(StudyStore store, Path folder, Engine engine) {
    this.store = store;
    this.folder = folder;
    this.engine = engine;
    store.studies().stream()
        .filter(study -> study.state() == StudyState.RUNNING)
        .forEach(study -> enqueue(study.id()));
  }

  @Override
  public StudyPlan plan(Submission submission) {
    return StudyPlan.of(submission.sweep());
  }

  @Override
  public StudyRecord submit(Submission submission) throws IOException {
    StudyPlan plan = plan(submission);
    StudyDataFiles.check(plan.sweep());
    Study study = Study.create(plan, submission.text(), submission.context(), folder);
    store.create(study.record(), plan.trials().size());
    enqueue(study.id());
    return find(study.id());
  }

  @Override
  public StudyRecord pause(String id) {
    refuseEnded(find(id));
    stopped.add(id);
    return find(id);
  }

  @Override
  public StudyRecord resume(String id) {
    StudyRecord record = find(id);
    if (record.state() == StudyState.FINISHED) {
      refuseEnded(record);
    }
    stopped.remove(id);
    enqueue(id);
    return find(id);
  }

  @Override
  public StudyRecord cancel(String id, String reason) {
    refuseEnded(find(id));
    stopped.add(id);
    store.move(id, StudyState.FAILED);
    return find(id);
  }

  private StudyRecord find(String id) {
    return store.study(id).orElseThrow(() -> new UnknownStudyException(id));
  }

  private static void refuseEnded(StudyRecord record) {
    if (record.state() != StudyState.RUNNING) {
      throw new StudyStateException("study " + record.id() + " is " + Study.stateOf(record));
    }
  }

  private void enqueue(String id) {
    queue.computeIfAbsent(id, study -> worker.submit(() -> run(study)));
  }

  @SuppressWarnings("try") // the lock is held, not used
  private void run(String id) {
    try {
      StudyRecord record = find(id);
      if (closing || stopped.contains(id)) {
        return;
      }
      Study study = Study.ofRecord(record);
      try (StudyLock lock = StudyLock.take(record.output())) {
        store.move(id, StudyState.RUNNING);
        RunEnvironment environment =
            new RunEnvironment(engine, StudyListener.SILENT, () -> closing || stopped.contains(id));
        StudyFolder.write(new StudyRunner(store, study, environment).run());
        store.move(id, StudyState.FINISHED);
      }
    } catch (StudyInterruptedException e) {
      LOG.info("study {} stops; it can be resumed", id);
    } catch (SearchFailedException | OverBudgetException | StoreException | IOException e) {
      LOG.error("study {}: {}", id, e.getMessage());
    } finally {
      queue.remove(id);
    }
  }

  @Override
  public void close() {
    closing = true;
    worker.shutdown();
    boolean interrupted = false;
    while (!worker.isTerminated()) {
      try {
        worker.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
