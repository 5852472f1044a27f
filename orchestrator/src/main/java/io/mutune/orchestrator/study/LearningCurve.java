package io.mutune.orchestrator.study;

import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.score.UnsuitableRowsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How good the final run's iterates are on public test rows, by what runs are compared by. The
 * iterates are released, so this costs nothing; they are not kept, and nothing is chosen by it.
 *
 * @param metric in words
 * @param steps after how many steps, ascending
 * @param scores of the weights then
 */
public record LearningCurve(String metric, List<Integer> steps, List<Double> scores) {
  private static final String STEP = "step";
  private static final String SCORE = "score";

  public LearningCurve {
    steps = List.copyOf(steps);
    scores = List.copyOf(scores);
    if (steps.size() != scores.size()) {
      throw new IllegalArgumentException("each step has its score");
    }
  }

  /** What a study has kept of it; empty where there is none. */
  static Optional<LearningCurve> of(StudyStore store, Study study) {
    NavigableMap<Integer, Double> points = new TreeMap<>();
    for (StudyNote note : store.notes(study.id())) {
      if (note.kind() == StudyNote.Kind.CURVE) {
        // A worker that was taken for dead may note one once more, and late.
        points.putIfAbsent(
            Integer.valueOf(note.required(STEP)), Double.valueOf(note.required(SCORE)));
      }
    }
    return points.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new LearningCurve(
                words(study.sweep()), List.copyOf(points.keySet()), List.copyOf(points.values())));
  }

  private static String words(SweepDefinition sweep) {
    return MetricWords.isCloseness(sweep) ? MetricWords.CLOSENESS : MetricWords.of(sweep);
  }

  /** Keeps a point, where there are public test rows. */
  static void reached(StudyStore store, Study study, StudyData data, int step, double[] weights) {
    int columns = study.sweep().problem().columns();
    try {
      Optional<PublicRows> rows = data.publicTest();
      if (rows.isPresent()) {
        LinearModel model = new LinearModel(weights.length / columns, columns, weights);
        double score = study.sweep().metric().of(model, study.sweep().train().loss(), rows.get());
        store.note(
            study.id(),
            new StudyNote(
                StudyNote.Kind.CURVE,
                Map.of(STEP, Integer.toString(step), SCORE, Double.toString(score))));
      }
    } catch (UnsuitableRowsException e) {
      // The final figure will say so.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
