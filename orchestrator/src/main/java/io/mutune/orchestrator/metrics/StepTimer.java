package io.mutune.orchestrator.metrics;

import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.StudyListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Notes how long steps take, for those who asked: a step's time grows with the private number of rows
 * and is no released value. Passes everything on.
 */
public final class StepTimer implements StudyListener {
  private final StudyListener next;
  private final MutuneMetrics metrics;
  private final LongSupplier nanoTime;
  private final Map<String, Mark> marks = new ConcurrentHashMap<>();

  /** How far a run was, and when. */
  private record Mark(int done, long nanos) {}

  public StepTimer(StudyListener next, MutuneMetrics metrics, LongSupplier nanoTime) {
    this.next = next;
    this.metrics = metrics;
    this.nanoTime = nanoTime;
  }

  @Override
  public void charged(String what, Spending spending) {
    next.charged(what, spending);
  }

  @Override
  public void step(String run, int done, int steps) {
    long now = nanoTime.getAsLong();
    Mark before = marks.put(run, new Mark(done, now));
    if (before != null && done > before.done()) {
      metrics.stepped((now - before.nanos()) / (done - before.done()));
    }
    if (done >= steps) {
      marks.remove(run);
    }
    next.step(run, done, steps);
  }

  @Override
  public void note(String line) {
    next.note(line);
  }
}
