package io.mutune.trainer.method.budget;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.layout.SampledRows;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.IterateStepper;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.UniformStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The questions of a run of {@link Pate}: step 2q − 1 asks whether the teachers agree on public row
 * q, step 2q what on. What it remembers is how many answers are used up, whether step 2q is to be
 * asked, and a label or {@value #NONE} a row; the teachers are stored nowhere.
 *
 * <p>After a crash the teachers are trained anew on a new partition. That costs nothing more: a row
 * changes one vote in the answers of each partition. Questions that were lost count as answered.
 */
final class PateVoting extends IterateStepper {
  static final int NONE = -1;

  private static final int USED = 0;
  private static final int AGREED = 1;
  private static final int LABELS = 2;

  private final Pate.Voting voting;
  private final int answers;
  private final PublicRows questions;
  private final PrivateRows rows;
  private final TrainingAttempt run;
  private @Nullable List<LinearModel> teachers;

  private PateVoting(Pate.Voting voting, PrivateRows rows, TrainingAttempt run, Iterate from) {
    super(from);
    this.voting = voting;
    this.answers = voting.method.answers();
    this.questions = voting.shown;
    this.rows = rows;
    this.run = run;
  }

  /**
   * @param length of the student's weights, which stay 0 until all votes are in
   */
  static PateVoting of(Pate.Voting voting, int length, PrivateRows rows, TrainingAttempt run) {
    double[] first = new double[LABELS + voting.method.questions()];
    Arrays.fill(first, LABELS, first.length, NONE);
    return new PateVoting(voting, rows, run, run.start(new double[length], first));
  }

  /** A label a public row, or {@value #NONE}. */
  int[] labels() {
    int[] labels = new int[memory.length - LABELS];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (int) memory[LABELS + i];
    }
    return labels;
  }

  @Override
  public boolean finished() {
    return memory[USED] >= answers;
  }

  @Override
  public void skipTo(int step) {
    while (asked < step) {
      asked++;
      memory[USED] += asked % 2 == 0 ? 1 : 0;
      memory[AGREED] = 0;
    }
  }

  @Override
  public void step() {
    boolean first = asked % 2 == 0;
    if (teachers == null && (first || memory[AGREED] == 1)) {
      teachers = teach(asked + 1);
    }
    asked++;
    int question = (asked - 1) / 2;
    if (first) {
      double[] greatest = {Arrays.stream(votes(question)).max().orElse(0)};
      run.noise().stream(run.streams().step(asked)).addTo(greatest, voting.thresholdSigma.value());
      memory[AGREED] = greatest[0] >= voting.method.threshold() ? 1 : 0;
    } else if (memory[AGREED] == 1) {
      double[] votes = votes(question);
      run.noise().stream(run.streams().step(asked)).addTo(votes, voting.voteSigma.value());
      memory[LABELS + question] = LinearModel.classOf(votes);
      memory[USED]++;
      memory[AGREED] = 0;
    }
  }

  /** How many teachers are for each class. */
  private double[] votes(int question) {
    double[] votes = new double[voting.problem.classes()];
    int row = question;
    for (RowBlocks.Block block : questions.blocks().blocks()) {
      if (row < block.rows()) {
        for (LinearModel teacher : Objects.requireNonNull(teachers)) {
          votes[teacher.predict(block.features(), row * questions.blocks().columns())]++;
        }
        return votes;
      }
      row -= block.rows();
    }
    throw new IllegalStateException("there is no public row " + question);
  }

  /**
   * One coin a row, in order, under an id that no later start of this run draws from again.
   *
   * @param step before which they are needed
   * @throws TrainingCancelled if it was told to stop meanwhile
   */
  private List<LinearModel> teach(int step) {
    UniformStream coins = run.noise().bits(run.streams().step(step, Purpose.SAMPLE));
    int columns = rows.columns();
    int[] owners = new int[Math.toIntExact(rows.blocks().rows())];
    for (int row = 0; row < owners.length; row++) {
      owners[row] = (int) coins.below(voting.method.teachers());
    }
    RegularisedMinimum learner = voting.teacher();
    List<LinearModel> taught = new ArrayList<>();
    for (int teacher = 0; teacher < voting.method.teachers(); teacher++) {
      PrivateRows part = BoundedRows.of(SampledRows.of(rows, ownedBy(teacher, owners)));
      double[] learned =
          learner.roundedBy(
              run.engine(),
              part,
              new double[weights.length],
              () -> voting.stopIfCancelled(run, asked));
      taught.add(new LinearModel(columns, weights.length / columns, learned));
    }
    return taught;
  }

  /** No other teacher's rows decide where its blocks end, which is where sums may round. */
  private static RowSample ownedBy(int teacher, int[] owners) {
    int[] next = {0};
    return () -> owners[next[0]++] == teacher;
  }

  /** The same rows with these labels; {@value #NONE} is no class, so such a row adds nothing. */
  static RowBlocks relabelled(RowBlocks rows, int[] labels) {
    List<RowBlocks.Block> blocks = new ArrayList<>();
    int from = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      int[] own = Arrays.copyOfRange(labels, from, from + block.rows());
      blocks.add(new RowBlocks.Block(block.features(), own));
      from += block.rows();
    }
    return new RowBlocks(rows.columns(), blocks);
  }
}
