package io.mutune.orchestrator.attack;

import io.mutune.accountant.Adjacency;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.trainer.attack.Canaries;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.method.TrainingMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Two neighbouring data sets through the whole program. A person whose rows add nothing must change
 * no released byte under the same noise: no chance is in that, so a single pair of runs never
 * accuses a sound program and never misses one that tells how many rows there are. A person as loud
 * as can be is looked for in every released number over many runs. Of single rows a person is one.
 *
 * @param rows of the person by whom the two data sets differ
 * @param runs with the loud person, and as many without; 0 to leave these out
 * @param confidence of all bounds together, in (0, 1)
 * @param seed of the noise for those who add nothing, and of the loud person
 */
public record Neighbours(AttackedSweep attacked, int rows, int runs, double confidence, long seed) {
  /** A study's documents by name, as they would lie in its folder. */
  @FunctionalInterface
  public interface Documents {
    Map<String, byte[]> of(StudyResult result) throws IOException;
  }

  private static final double LOUDEST = 1000;

  public Neighbours {
    AttackedSweep.requirePerson(attacked.sweep(), rows);
    if (runs < 0 || (runs > 0 && runs < 20)) {
      throw new IllegalArgumentException(
          "telling data sets apart takes at least 20 runs of each; was " + runs);
    }
  }

  /**
   * Runs all of it.
   *
   * @param documents made of each result and compared
   * @param environment whose listener hears nothing
   * @throws IOException if data cannot be read
   */
  public NeighbourReport run(Documents documents, RunEnvironment environment) throws IOException {
    try (StudiesInMemory studies = new StudiesInMemory(attacked, environment)) {
      return run(documents, studies, studies);
    }
  }

  NeighbourReport run(Documents documents, StudiesInMemory silent, StudiesInMemory loud)
      throws IOException {
    long start = System.nanoTime();
    KnownRows base = attacked.trainingRows();
    NeighbourReport.Silence silence = silence(documents, silent, base);
    double alpha = (1 - confidence) / 2; // for the numbers, and as much for the noise
    KnownRows person =
        person(base, Canaries.gradient(base, attacked.sweep().classes(), 1, seed).times(LOUDEST));
    PairedRuns sides = new PairedRuns(base, person, documents, alpha / (2.0 * runs));
    KnownRows nobody = replaced() ? person(base, base.silent()) : person.only();
    StudiesInMemory.Repeated without = loud.on("rows-0.npz", base, nobody);
    StudiesInMemory.Repeated with = loud.on("rows-1.npz", base, person);
    // The bound is for runs that share no noise, which those of one seed would.
    NoiseRule noise = attacked.sweep().run().noise();
    for (int run = 0; run < runs; run++) {
      sides.add(without.run(noise.another(2 * run + 1)), false);
      sides.add(with.run(noise.another(2 * run + 2)), true);
    }
    return new NeighbourReport(
        attacked.sweep(),
        rows,
        runs == 0 ? attacked.sweep().budget().epsilon().value() : sides.epsilon(),
        runs,
        confidence,
        silence,
        sides.statistics(attacked.sweep().budget().delta(), alpha),
        sides.problems(),
        VoidReasons.of(StudyPlan.of(attacked.sweep())),
        seed,
        (System.nanoTime() - start) / 1e9);
  }

  private KnownRows person(KnownRows base, KnownRows row) {
    return row.asPeople(rows, base.clipsPeople());
  }

  /** Whether the guarantee is about a row in another's place, whose number everybody knows. */
  private boolean replaced() {
    return attacked.sweep().budget().adjacency() == Adjacency.REPLACE_ONE;
  }

  /**
   * Whether a row of zeros is nothing to the sweep: not where it counts as a row, nor to methods
   * that ask for more than sums of gradients, nor where a map makes something of it.
   */
  private boolean hasSilence(KnownRows zero) {
    TrainingMethod method = attacked.sweep().train().method();
    return !replaced()
        && method.sumsGradients()
        && !attacked.sweep().data().features().needsMeans()
        && zero.mapped(attacked.sweep().data().features()).isZero()
        && attacked.sweep().data().mean().isEmpty();
  }

  private NeighbourReport.Silence silence(
      Documents documents, StudiesInMemory studies, KnownRows base) throws IOException {
    KnownRows zero = person(base, base.silent());
    if (!hasSilence(zero)) {
      return new NeighbourReport.Silence(NeighbourReport.Outcome.NOT_APPLICABLE, List.of(), 0);
    }
    NoiseRule seeded = new NoiseRule.Seeded(seed & 0xFFFF, attacked.sweep().run().noise().grid());
    Map<String, byte[]> one =
        released(studies.on("rows.npz", base, zero.only()).run(seeded), documents);
    Map<String, byte[]> other = released(studies.on("rows.npz", base, zero).run(seeded), documents);
    List<String> different = new ArrayList<>();
    for (String name : one.keySet()) {
      if (!Arrays.equals(one.get(name), other.get(name))) {
        different.add(name);
      }
    }
    if (!one.keySet().equals(other.keySet())) {
      different.add("which documents there are");
    }
    return new NeighbourReport.Silence(
        different.isEmpty() ? NeighbourReport.Outcome.SAME : NeighbourReport.Outcome.DIFFERENT,
        different,
        one.size());
  }

  /** The documents, the iterates, the log and the order of things. */
  private static Map<String, byte[]> released(Transcript transcript, Documents documents)
      throws IOException {
    Map<String, byte[]> released = new TreeMap<>();
    documents.of(transcript.result()).forEach((name, bytes) -> released.put("file " + name, bytes));
    transcript
        .iterates()
        .forEach(
            (run, iterates) -> {
              StringBuilder text = new StringBuilder();
              iterates.forEach(
                  i ->
                      text.append(i.asked())
                          .append(Arrays.toString(i.weights()))
                          .append(Arrays.toString(i.memory())));
              released.put("iterates of run " + run, bytes(text.toString()));
            });
    released.put(
        "scores",
        bytes(transcript.result().trials().stream().map(TrialOutcome::score).toList().toString()));
    // Trials that run at once come in any order: the threads', not the rows'.
    released.put("log", bytes(transcript.log().stream().sorted().toList().toString()));
    Map<String, List<RecordingStore.Kind>> order = new TreeMap<>();
    for (RecordingStore.Event event : transcript.events()) {
      order.computeIfAbsent(event.what(), run -> new ArrayList<>()).add(event.kind());
    }
    released.put("order of every run", bytes(order.toString()));
    return released;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
