package io.mutune.orchestrator.reproduce;

import io.mutune.orchestrator.compare.ComparedStrategy;
import io.mutune.orchestrator.compare.ComparisonRunner;
import io.mutune.orchestrator.compare.ComparisonSize;
import io.mutune.orchestrator.compare.Journal;
import io.mutune.orchestrator.compare.Outcome;
import io.mutune.orchestrator.compare.RateRange;
import io.mutune.orchestrator.compare.StrategyComparison;
import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import io.mutune.orchestrator.compare.StrategyComparison.Standing;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.network.EncoderLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * Tries the claims of a file. Rows are declared public or simulated and noise is seeded by the
 * repeat, so that each figure is the same for everybody; every study is charged and audited as any
 * other, in a store that is forgotten.
 */
public final class Reproduction {
  /** Of an interval of 95%, to one side. */
  private static final double QUANTILE = 0.975;

  /** Of comparisons: points and noise follow from it. */
  private static final long SEED = 7;

  /** The journal of all comparisons: several tables may be of the same ones. */
  private static final String COMPARED = "compared.journal";

  private final ClaimFile file;
  private final boolean quick;
  private final Folders folders;
  private final FileOwners owners;
  private final RunEnvironment environment;
  private final Consumer<String> progress;
  private final Map<List<String>, StrategyComparison> comparisons = new LinkedHashMap<>();

  /**
   * Where things are.
   *
   * @param data what claims are tried on
   * @param sweeps of comparisons
   * @param output to which journals, shuffled files and sweeps go
   */
  public record Folders(Path data, Path sweeps, Path output) {}

  /**
   * What came of a file's claims.
   *
   * @param seconds that their studies took, each counted once
   */
  public record Tried(List<ClaimResult> claims, double seconds) {
    /** Why there is no figure, if that is for what is not there; a sentence for each reason. */
    public Optional<String> lacking() {
      List<String> reasons =
          claims.stream()
              .filter(ClaimResult::isNotTried)
              .flatMap(claim -> claim.why().stream())
              .distinct()
              .toList();
      return reasons.isEmpty() || claims.stream().anyMatch(claim -> claim.ours().isPresent())
          ? Optional.empty()
          : Optional.of(String.join(" ", reasons));
    }
  }

  /**
   * @param quick whether fewer repeats are enough
   * @param owners of files, who are asked before one is opened
   * @param progress told each claim before it is tried
   */
  public Reproduction(
      ClaimFile file,
      boolean quick,
      Folders folders,
      FileOwners owners,
      RunEnvironment environment,
      Consumer<String> progress) {
    this.file = file;
    this.quick = quick;
    this.folders = folders;
    this.owners = owners;
    this.environment = environment;
    this.progress = progress;
  }

  /** The files that all its claims need and that are not there, or no files. */
  public List<String> missing() {
    return missing(file.files());
  }

  private List<String> missing(List<String> names) {
    return names.stream().filter(name -> !isRead(folders.data.resolve(name))).toList();
  }

  /** A folder may have pictures, or the files of a table; a pipe would be waited for. */
  private static boolean isRead(Path path) {
    return Files.isRegularFile(path) || Files.isDirectory(path);
  }

  /**
   * Tries them all, but for what an earlier run, which has to be of the same build, has in its
   * journals.
   *
   * @throws ClaimsException if the file's sweep is none
   * @throws io.mutune.orchestrator.study.StudyInterruptedException if it was stopped
   */
  public Tried run() throws IOException {
    Files.createDirectories(folders.output);
    Journal<ClaimRepeat> journal =
        Journal.in(folders.output.resolve(file.name() + ".journal"), ClaimRepeat.class);
    Journal<Outcome> compared =
        file.claims().stream().anyMatch(claim -> claim.way() instanceof Claim.Comparison)
            ? Journal.in(folders.output.resolve(COMPARED), Outcome.class)
            : Journal.none(Outcome.class);
    List<ClaimResult> results = new ArrayList<>();
    for (Claim claim : file.claims()) {
      progress.accept(file.name() + ": " + claim.name());
      Claim.Way way = claim.way();
      Optional<String> lacking = lacking(claim);
      if (lacking.isPresent()) {
        results.add(ClaimResult.notTried(claim, lacking.get()));
      } else if (way instanceof Claim.Studies studies) {
        results.add(ClaimResult.of(claim, file.figure(), ofStudies(claim, studies, journal)));
      } else if (way instanceof Claim.Comparison comparison) {
        results.add(
            ClaimResult.of(claim, file.figure(), ofComparison(claim, comparison, compared)));
      } else {
        results.add(ClaimResult.unobtainable(claim, ((Claim.Unobtainable) way).why()));
      }
    }
    return new Tried(
        results,
        DoubleStream.concat(
                journal.used().stream().mapToDouble(ClaimRepeat::seconds),
                compared.used().stream().mapToDouble(Outcome::seconds))
            .sum());
  }

  /** What a claim needs and is not there, in a sentence. */
  private Optional<String> lacking(Claim claim) throws IOException {
    List<String> missing = missing(claim.files());
    if (!missing.isEmpty()) {
      return Optional.of("Not in the folder of data: " + String.join(", ", missing) + ".");
    }
    if (claim.encoder().isPresent()
        && EncoderLibrary.usual().find(claim.encoder().get()).isEmpty()) {
      return Optional.of(
          "Not on this machine: `mutune encoder add " + claim.encoder().get() + "`.");
    }
    return Optional.empty();
  }

  private int repeats() {
    return quick ? file.quick() : file.repeats();
  }

  private ClaimResult.Ours ofStudies(Claim claim, Claim.Studies asked, Journal<ClaimRepeat> journal)
      throws IOException {
    ClaimStudies studies = new ClaimStudies(file.figure(), owners, environment, journal);
    List<List<ClaimStudies.Planned>> ways = new ArrayList<>();
    ways.add(planned(claim, "", asked.words()));
    if (!asked.minus().isEmpty()) {
      ways.add(planned(claim, "-minus", asked.minus()));
    }
    List<List<ClaimRepeat>> figures = studies.of(ways);
    List<ClaimRepeat> ended = release(asked, figures.get(0));
    List<ClaimRepeat> others = figures.size() == 1 ? List.of() : figures.get(1);
    Interval95 figure =
        mean(
            ended.stream().map(ClaimRepeat::figure).toList(),
            others.stream().map(ClaimRepeat::figure).toList());
    List<ClaimRepeat> both = Stream.of(ended, others).flatMap(List::stream).toList();
    return ours(
        figure,
        ended.size(),
        greatest(both.stream().mapToDouble(ClaimRepeat::epsilon)),
        greatest(both.stream().mapToDouble(ClaimRepeat::finalEpsilon)));
  }

  private static double greatest(DoubleStream epsilons) {
    return epsilons.filter(Double::isFinite).max().orElse(Double.POSITIVE_INFINITY);
  }

  private static List<ClaimRepeat> release(Claim.Studies asked, List<ClaimRepeat> repeats) {
    return asked.release().isEmpty()
        ? repeats
        : repeats.stream().map(one -> one.release(asked.release().getAsDouble())).toList();
  }

  /**
   * @param part of the claim, for the name of what is left
   */
  private List<ClaimStudies.Planned> planned(Claim claim, String part, Map<String, String> words)
      throws IOException {
    List<ClaimStudies.Planned> planned = new ArrayList<>();
    String name = claim.name() + part;
    for (int repeat = 1; repeat <= repeats(); repeat++) {
      String text = file.sweepOf(claim, words, repeat);
      if (repeat == 1) {
        keep(name, text);
      }
      planned.add(planned(name, repeat, text));
    }
    return planned;
  }

  /** The first repeat's sweep, for whoever wants to see or run it alone. */
  private void keep(String claim, String text) throws IOException {
    Path folder = folders.output.resolve("sweeps").resolve(file.name());
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(claim + ".yaml"), text);
  }

  private ClaimStudies.Planned planned(String claim, int repeat, String text) throws IOException {
    Path shuffled = folders.output.resolve("shuffled").resolve(Integer.toString(repeat));
    SweepContext context = context(Map.of("SHUFFLED", shuffled.toString()));
    String name = file.name() + "/" + claim;
    SweepDefinition sweep = SweepReader.read(name, text, context);
    if (!sweep.data().isOpen()) {
      throw new ClaimsException(
          name
              + ": a claim is tried many times over, so data.private must be declared public or"
              + " simulated, and data.validation and data.test must not be private");
    }
    // Not before: what is shuffled is left in the clear.
    for (ShuffledFile one : file.shuffled()) {
      one.write(owners, folders.data, shuffled, repeat);
    }
    return new ClaimStudies.Planned(name + ", repeat " + repeat, text, context, sweep);
  }

  private SweepContext context(Map<String, String> more) {
    Map<String, String> variables = new LinkedHashMap<>(SweepContext.environment());
    variables.put("MUTUNE_DATA", folders.data.toString());
    variables.putAll(more);
    return new SweepContext(
        folders.sweeps.toAbsolutePath(), Path.of("").toAbsolutePath(), variables);
  }

  private ClaimResult.Ours ofComparison(
      Claim claim, Claim.Comparison asked, Journal<Outcome> journal) throws IOException {
    List<String> key = List.of(asked.sweep(), asked.range());
    StrategyComparison comparison = comparisons.get(key);
    if (comparison == null) {
      comparison = comparison(claim, asked, journal);
      comparisons.put(key, comparison);
    }
    List<Standing> ways = new ArrayList<>();
    ways.add(standing(comparison, claim, asked.strategy()));
    if (asked.over().isPresent()) {
      ways.add(standing(comparison, claim, asked.over().get()));
    }
    Standing standing = ways.get(0);
    Interval95 figure;
    if (file.figure() == ClaimedMetric.ERROR_REDUCTION) {
      figure =
          standing
              .rerr()
              .orElse(new Interval95(Double.NaN, OptionalDouble.empty(), OptionalDouble.empty()));
    } else {
      figure =
          mean(
              standing.accuracies().values(),
              ways.size() == 1 ? List.of() : ways.get(1).accuracies().values());
    }
    return ours(
        figure,
        repeats(),
        ways.stream().mapToDouble(Standing::epsilon).max().orElseThrow(),
        ways.stream().mapToDouble(Standing::finalEpsilon).max().orElseThrow());
  }

  private static ClaimResult.Ours ours(
      Interval95 figure, int repeats, double epsilon, double finalEpsilon) {
    return new ClaimResult.Ours(
        DisplayNumber.end(figure.value()),
        figure.low(),
        figure.high(),
        repeats,
        DisplayNumber.end(epsilon),
        DisplayNumber.end(finalEpsilon));
  }

  /** By how much ours are over the others, or over 0, in the mean: from Student's t. */
  private static Interval95 mean(List<Double> ours, List<Double> over) {
    SummaryStatistics figures = new SummaryStatistics();
    for (int i = 0; i < ours.size(); i++) {
      figures.addValue(ours.get(i) - (over.isEmpty() ? 0 : over.get(i)));
    }
    double mean = figures.getMean();
    double bar =
        new TDistribution(ours.size() - 1.0).inverseCumulativeProbability(QUANTILE)
            * figures.getStandardDeviation()
            / Math.sqrt(ours.size());
    return Interval95.of(mean, mean - bar, mean + bar);
  }

  private static Standing standing(StrategyComparison comparison, Claim claim, String key) {
    ComparedStrategy strategy =
        ComparedStrategy.ofKey(key)
            .orElseThrow(() -> new ClaimsException(claim.name() + ": no such strategy as " + key));
    return comparison.strategies().stream()
        .filter(one -> one.strategy() == strategy)
        .findFirst()
        .orElseThrow(() -> new ClaimsException(claim.name() + ": " + key + " is not compared"));
  }

  private StrategyComparison comparison(
      Claim claim, Claim.Comparison asked, Journal<Outcome> journal) throws IOException {
    RateRange range =
        RateRange.ofKey(asked.range())
            .orElseThrow(() -> new ClaimsException(claim.name() + ": no such range"));
    Path path = folders.sweeps.resolve(asked.sweep());
    String text = ClaimFile.text(path);
    SweepContext context = context(Map.of());
    ComparisonRunner runner =
        new ComparisonRunner(
            SweepReader.read(path.toString(), text, context),
            text,
            context,
            new ComparisonSize(range, repeats(), 1, SEED),
            List.of(
                ComparedStrategy.RANDOM,
                ComparedStrategy.FIXED,
                ComparedStrategy.SCALE_FREE,
                ComparedStrategy.LINEAR_SCALING),
            owners);
    return runner.run(environment, journal, progress);
  }
}
