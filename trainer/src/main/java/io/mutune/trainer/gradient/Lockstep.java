package io.mutune.trainer.gradient;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets trials over the same rows ask together: each trains on a thread of its own, with its own
 * settings, noise and journal, and an engine from {@link #member}. A sum waits until every trial
 * that still runs has asked for one, and all are then computed in one pass. What a trial gets is
 * what it would get alone.
 *
 * <p>All members have to run at once, and each has to be closed when its trial ends, for whatever
 * reason: until then the others wait for it. A sum that does not suit the others' (over other rows,
 * or with another loss), or that follows a trial's first, is computed alone.
 */
public final class Lockstep {
  private enum State {
    /** Has not opened its sum yet. */
    COMING,
    /** Has opened it and asks nothing at the moment. */
    OPEN,
    ASKING,
    GONE
  }

  /** What the members have to have in common. */
  private record Common(PrivateRows rows, Loss loss, int classes) {}

  private final ClippedSums engine;
  private final List<Member> members;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private @Nullable Common common;
  private @Nullable FusedClippedSum fused;
  private @Nullable Throwable failure;

  public Lockstep(ClippedSums engine, int trials) {
    this.engine = engine;
    this.members = Stream.generate(Member::new).limit(trials).toList();
  }

  /** The engine of one trial, counted from 0. */
  public Member member(int trial) {
    return members.get(trial);
  }

  /** One trial's engine; the first sum that it opens is the shared one. */
  public final class Member implements ClippedSums, AutoCloseable {
    private State state = State.COMING;
    private ClipNorm clip = ClipNorm.of(1);
    private RowSample sample = RowSample.ALL;
    private double[] weights = {};
    private double[] sum = {};

    private Member() {}

    @Override
    public ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm norm) {
      return joins(rows, loss, classes, norm)
          ? new Sum(this)
          : engine.open(rows, loss, classes, norm);
    }

    /** Whether the sum is the lockstep's; a trial whose first is not has left it. */
    private boolean joins(PrivateRows rows, Loss loss, int classes, ClipNorm norm) {
      loss.columns(classes);
      lock.lock();
      try {
        if (state != State.COMING) {
          return false;
        }
        Common own = new Common(rows, loss, classes);
        if (common != null && !common.equals(own)) {
          close();
          return false;
        }
        common = own;
        clip = norm;
        state = State.OPEN;
        return true;
      } finally {
        lock.unlock();
      }
    }

    /** Leaves; the others go on without this trial. */
    @Override
    public void close() {
      lock.lock();
      try {
        state = State.GONE;
        changed.signalAll();
        if (fused != null && members.stream().allMatch(m -> m.state == State.GONE)) {
          fused.close();
          fused = null;
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private final class Sum implements ClippedSum {
    private final Member member;
    private final ClipNorm opened;

    Sum(Member member) {
      this.member = member;
      this.opened = member.clip;
    }

    @Override
    public void compute(double[] weights, double[] sum) {
      compute(weights, opened, RowSample.ALL, sum);
    }

    @Override
    public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
      lock.lock();
      try {
        if (member.state != State.OPEN) {
          throw new IllegalStateException("the sum is closed");
        }
        member.weights = weights;
        member.clip = clip;
        member.sample = sample;
        member.sum = sum;
        member.state = State.ASKING;
        while (member.state == State.ASKING) {
          if (members.stream().allMatch(m -> m.state == State.ASKING || m.state == State.GONE)) {
            answer();
          } else {
            changed.awaitUninterruptibly();
          }
        }
        if (failure instanceof UncheckedIOException machines) {
          throw new UncheckedIOException(machines.getCause());
        }
        if (failure != null) {
          throw new IllegalStateException("the sum of the trials in lockstep failed", failure);
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      member.close();
    }
  }

  /** Computes for all that ask. A failure is everyone's, so that nobody waits for ever. */
  private void answer() {
    int trials = members.size();
    double[][] weights = new double[trials][];
    double[][] sums = new double[trials][];
    ClipNorm[] clips = new ClipNorm[trials];
    RowSample[] samples = new RowSample[trials];
    boolean[] active = new boolean[trials];
    for (int t = 0; t < trials; t++) {
      Member member = members.get(t);
      weights[t] = member.weights;
      sums[t] = member.sum;
      clips[t] = member.clip;
      samples[t] = member.sample;
      active[t] = member.state == State.ASKING;
    }
    try {
      if (fused == null) {
        Common shared = Objects.requireNonNull(common, "who asks has opened a sum");
        fused = engine.openFused(shared.rows, shared.loss, shared.classes, List.of(clips));
      }
      fused.compute(weights, clips, samples, sums, active);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    for (Member member : members) {
      if (member.state == State.ASKING) {
        member.state = State.OPEN;
      }
    }
    changed.signalAll();
  }
}
