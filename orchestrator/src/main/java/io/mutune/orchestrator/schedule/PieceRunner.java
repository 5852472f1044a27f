package io.mutune.orchestrator.schedule;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.report.StudyFolder;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.DataKeys;
import io.mutune.orchestrator.study.NoRoomException;
import io.mutune.orchestrator.study.Piece;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyPieces;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.trainer.data.RowRoom;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.model.ModelFile;
import io.mutune.trainer.network.EncoderFailedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs pieces of studies in this process and stores their results. It drops a piece that another
 * process has taken over, leaves one that the store interrupts for later, and fails the study of
 * one that cannot succeed, with a reason that holds nothing private.
 */
final class PieceRunner implements AutoCloseable {
  /** The job that begins a planned study. */
  static final String BEGIN = "begin";

  /** How often a piece is tried again while the store can be reached and refuses it. */
  private static final int MOST_SETBACKS = 10;

  private static final long MOST_SECONDS = 30;

  private static final String UNPLANNED = "this version of Mutune does not plan it: ";

  private static final String UNKEPT =
      "the store did not take what it was to keep, again and again; the standard error of the"
          + " worker says more";

  private static final String UNENCODED =
      "an encoder does not work on the worker's machine; its standard error says more";

  private static final String UNSUITABLE =
      "its data cannot be read in the form that the sweep says";

  private static final String UNTRAINED =
      "its trainer failed; what it wrote is in trainer-logs of the worker's scratch folder, for the"
          + " owner of the data set alone";

  private final StudyStore store;
  private final Engine engine;
  private final Consumer<String> says;
  private final Map<String, Place> places = new ConcurrentHashMap<>();
  private final Map<String, Setback> setbacks = new ConcurrentHashMap<>();
  private final Recurrence recurrence;
  private final RowRoom room;

  /** The last message about each job that the store did not let run. */
  private final Map<String, String> troubles = new ConcurrentHashMap<>();

  /** Who runs a job is one of its parties, and this object is one. */
  private final Phaser jobs = new Phaser(1);

  private volatile Runnable changed = () -> {};
  private volatile boolean closing;

  /**
   * How often a piece failed, and the {@link System#nanoTime} before which it is not tried again
   * here.
   */
  private record Setback(int count, long until) {
    private static final Setback FIRST = new Setback(0, 0);

    Setback again() {
      long seconds = Math.min(MOST_SECONDS, 1L << count);
      return new Setback(count + 1, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    /** Which may be had any number of times. */
    Setback uncounted() {
      return new Setback(0, until);
    }
  }

  /** A study whose pieces this process runs. */
  private static final class Place {
    private final RowRoom.Share share;
    private final StudyPieces pieces;
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean stopped;

    Place(StudyStore store, Study study, PieceRunner runner) {
      this.share = runner.room.share();
      RunEnvironment environment =
          new RunEnvironment(runner.engine, runner.listener(study), () -> stopped)
              .interruptedBy(() -> runner.closing)
              .keyed(DataKeys.here())
              .beside(share);
      this.pieces = new StudyPieces(store, study, environment);
    }
  }

  /**
   * @param says takes messages for the operator of this process, a line at a time
   */
  PieceRunner(StudyStore store, Engine engine, Consumer<String> says) {
    this(store, engine, says, RowRoom.ofThisProcess());
  }

  /** Whose studies have so much room together. */
  PieceRunner(StudyStore store, Engine engine, Consumer<String> says, RowRoom room) {
    this.store = store;
    this.room = room;
    this.engine = engine;
    this.says = says;
    this.recurrence = new Recurrence(store, says);
  }

  Recurrence recurrence() {
    return recurrence;
  }

  /** Sets what is called after each piece, when others may have become possible. */
  void onChange(Runnable listener) {
    changed = listener;
  }

  private StudyListener listener(Study study) {
    return new StudyListener() {
      @Override
      public void note(String line) {
        says.accept("study " + study.id() + ": " + line);
      }
    };
  }

  /**
   * Returns the pieces of a running study that are to be run now; none if it cannot be planned
   * again.
   */
  List<Piece> next(StudyRecord record) {
    try {
      return place(record).pieces.next().stream()
          .filter(piece -> !isWaiting(record.id() + piece))
          .toList();
    } catch (InvalidSweepException | OverBudgetException e) {
      fail(record.id(), UNPLANNED + e.getMessage());
      return List.of();
    }
  }

  private Place place(StudyRecord record) {
    return places.computeIfAbsent(
        record.id(), id -> new Place(store, Study.ofRecord(record), this));
  }

  /** Stops the pieces of all other studies, and forgets their data. */
  void keep(Set<String> running) {
    places.forEach(
        (id, place) -> {
          if (!running.contains(id)) {
            place.stopped = true;
            if (place.running.get() == 0) {
              forget(id, place);
            }
          }
        });
    setbacks.keySet().removeIf(piece -> running.stream().noneMatch(piece::startsWith));
  }

  private void forget(String id, Place place) {
    places.remove(id, place);
    place.share.close();
  }

  /** Stops running pieces at a checkpoint, and returns when they have ended; begins none. */
  @Override
  public void close() {
    closing = true;
    jobs.arriveAndAwaitAdvance();
  }

  /** Runs a job from its state in the store, and never throws. */
  void run(String study, String job) {
    jobs.register();
    try {
      if (!closing && isDone(study, job) && !closing) {
        changed.run();
      }
    } finally {
      jobs.arriveAndDeregister();
    }
  }

  /** Whether the store let the job run; if not, the next look at the queue is when to try again. */
  private boolean isDone(String study, String job) {
    try {
      Optional<StudyRecord> record = store.study(study);
      if (record.isPresent() && job.equals(BEGIN)) {
        begin(record.get());
      } else if (job.equals(Recurrence.AGAIN)) {
        recurrence.again(study);
      } else if (record.isPresent() && record.get().state() == StudyState.RUNNING) {
        run(record.get(), Piece.of(job));
      }
      if (!setbacks.containsKey(study + job)) {
        troubles.remove(study + job);
      }
      return true;
    } catch (StoreException e) {
      sayOnce(study, job, e);
      return false;
    } catch (RuntimeException | Error e) {
      try {
        failByBug(study, e);
        return true;
      } catch (StoreException gone) {
        sayOnce(study, job, gone);
        return false;
      }
    }
  }

  private void sayOnce(String study, String job, Exception e) {
    String trouble = "study " + study + ": " + e.getMessage();
    if (!trouble.equals(troubles.put(study + job, trouble))) {
      says.accept(trouble);
    }
  }

  private void begin(StudyRecord record) {
    if (record.state() == StudyState.PLANNED) {
      move(record.id(), StudyState.RUNNING, "");
    }
  }

  private void run(StudyRecord record, Piece piece) {
    String id = record.id();
    Place place;
    try {
      place = place(record);
    } catch (InvalidSweepException | OverBudgetException e) {
      fail(id, UNPLANNED + e.getMessage());
      return;
    }
    place.running.incrementAndGet();
    try {
      run(place.pieces, piece);
    } finally {
      if (place.running.decrementAndGet() == 0 && place.stopped) {
        forget(id, place); // the study may run again by now
      }
    }
  }

  private void run(StudyPieces pieces, Piece piece) {
    String id = pieces.study().id();
    try {
      pieces.check();
    } catch (IOException | AccountRefusedException e) {
      // The message names files, none of which was read; those of a card are its owner's business.
      fail(
          id,
          pieces
              .study()
              .sweep()
              .card()
              .map(
                  card ->
                      "a worker cannot use the files of the data set '%s'; its owner sees why with mutune data check"
                          .formatted(card.name()))
              .orElseGet(() -> "a worker cannot use its files: " + e.getMessage()));
      return;
    }
    RunRecord before = pieces.standing(piece);
    try {
      runOnce(pieces, piece);
      setbacks.remove(id + piece);
    } catch (StudyInterruptedException e) {
      // Who asked for the stop has reported it.
    } catch (SearchFailedException | OverBudgetException | AccountRefusedException e) {
      fail(id, String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      if (!isTakenOver(pieces, piece, before)) {
        setBack(id, piece, e, UNKEPT);
      }
    } catch (ModelFile.Failure e) {
      fail(id, UNTRAINED); // how it failed may follow from rows
    } catch (NoRoomException e) {
      if (setbacks.put(id + piece, Setback.FIRST.again().uncounted()) == null) {
        says.accept("study " + id + ": " + e.getMessage());
      }
    } catch (EncoderFailedException e) {
      setBack(id, piece, e, UNENCODED);
    } catch (IOException e) {
      says.accept("study " + id + ": " + e.getMessage());
      fail(id, UNSUITABLE);
    } catch (RuntimeException | Error e) {
      failByBug(id, e);
    }
  }

  private void runOnce(StudyPieces pieces, Piece piece) throws IOException {
    switch (piece.kind()) {
      case MEAN -> pieces.mean();
      case TRIAL -> pieces.trial(piece.number());
      case LAST -> {
        var result = pieces.last();
        try {
          StudyFolder.write(result);
        } catch (IOException | UncheckedIOException e) {
          throw new StoreException(
              result.study().record().output() + ": the results cannot be written", e);
        }
        if (move(pieces.study().id(), StudyState.FINISHED, "")) {
          says.accept("study " + pieces.study().id() + " is finished");
        }
      }
    }
  }

  /**
   * Returns whether another process runs the piece or has ended it, or the study is not to go on.
   */
  private boolean isTakenOver(StudyPieces pieces, Piece piece, RunRecord before) {
    String id = pieces.study().id();
    return store.study(id).map(StudyRecord::state).orElse(StudyState.FAILED) != StudyState.RUNNING
        || !pieces.next().contains(piece)
        || pieces.standing(piece).starts() > before.starts() + 1;
  }

  /** Delays a piece after a failure, longer each time. */
  private void setBack(String id, Piece piece, Exception e, String why) {
    sayOnce(id, piece.toString(), e);
    Setback setback =
        setbacks.merge(id + piece, Setback.FIRST.again(), (before, ignored) -> before.again());
    if (setback.count() >= MOST_SETBACKS) {
      fail(id, why);
    }
  }

  private boolean isWaiting(String key) {
    Setback setback = setbacks.get(key);
    return setback != null && System.nanoTime() - setback.until() < 0;
  }

  private void failByBug(String id, Throwable e) {
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace, true));
    says.accept("this is a bug in Mutune, please report it:\n" + trace);
    fail(id, "a bug in Mutune (" + e.getClass().getSimpleName() + "); please report it");
  }

  private void fail(String id, String reason) {
    String line = reason.replaceAll("\\s*\\R\\s*", "; ");
    if (move(id, StudyState.FAILED, line)) {
      says.accept("study " + id + " fails: " + line);
      troubles.keySet().removeIf(job -> job.startsWith(id)); // said again once it is resumed
    }
  }

  /** Unless somebody else has moved it on; whether it was done. */
  private boolean move(String id, StudyState to, String reason) {
    try {
      store.move(id, to, reason);
      return true;
    } catch (IllegalStateException e) {
      says.accept("study " + id + ": " + e.getMessage());
      return false;
    }
  }
}
