package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.empirical.RocCurve;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.attack.CanaryReport;
import io.mutune.orchestrator.attack.MembershipReport;
import io.mutune.orchestrator.attack.NeighbourReport;
import io.mutune.orchestrator.attack.NeighbourReport.Statistic;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What attacks showed, as {@code attack.json} and as text. An empirical ε is always beside the
 * guarantee and called a lower bound, and is rounded down where it is printed.
 *
 * @param person whom the attack looks for, where that is more than a row by itself
 * @param guaranteed empty where it is not known
 * @param lowerBound empty for an attack that shows curves alone
 * @param runs of each of two neighbouring data sets
 * @param numbers of the runs, each compared between the two
 */
public record AttackDocument(
    @JsonUnwrapped Subject subject,
    Optional<Person> person,
    Optional<Guaranteed> guaranteed,
    Optional<LowerBound> lowerBound,
    @JsonUnwrapped Optional<Membership> membership,
    @JsonUnwrapped Optional<Guesses> canaries,
    OptionalInt runs,
    Optional<Boolean> refutes,
    Optional<Silence> rowThatAddsNothing,
    Optional<List<String>> problems,
    Optional<List<Curve>> curves,
    Optional<List<Statistic>> numbers)
    implements Document {
  /** At these shares of false positives true ones are told: attacks that matter have few. */
  private static final double[] FEW = {0.001, 0.01, 0.1};

  /** A curve is drawn, and written, by no more points than this. */
  private static final int MOST_POINTS = 400;

  /**
   * Which attack it was, and on what.
   *
   * @param rows the public number, of people where these are the unit
   * @param unit {@code person}; empty where it is a row
   * @param account that all of it is charged to, where the rows are private
   * @param seconds left out of a charged study whose number of runs is secret
   * @param study that it is charged by
   */
  public record Subject(
      String attack,
      String name,
      String declared,
      String notice,
      String method,
      String strategy,
      long rows,
      Optional<String> unit,
      long seed,
      OptionalDouble seconds,
      Optional<String> account,
      Optional<String> study) {
    /** What the public number is of. */
    public String counted() {
      return PlanDocument.counted(unit);
    }

    static Subject of(
        String attack, SweepDefinition sweep, long seed, double seconds, Optional<String> study) {
      String notice =
          study
              .map(
                  charged ->
                      ("an attack on a study of private rows, by what that study released and by"
                              + " public rows; all of it is charged to the account '%s', by the"
                              + " study %s, whose model has learned from canaries")
                          .formatted(sweep.account().orElse(""), charged))
              .orElse(
                  "an attack on rows that the sweep declares "
                      + sweep.data().declared().key()
                      + "; nothing that it looked at or ran is charged to any account");
      return new Subject(
          attack,
          sweep.name(),
          sweep.data().declared().key(),
          notice,
          sweep.train().method().name(),
          sweep.search().name(),
          sweep.rows(),
          PlanDocument.unit(sweep),
          seed,
          study.isPresent() && sweep.search().isSecret()
              ? OptionalDouble.empty()
              : OptionalDouble.of(seconds),
          study.flatMap(charged -> sweep.account()),
          study);
    }
  }

  /**
   * A person who is put in.
   *
   * @param covered whether the guarantee speaks of all of the person's rows
   */
  public record Person(int rows, boolean covered) {
    static Optional<Person> of(SweepDefinition sweep, int rows, boolean covered) {
      return rows > 1 || sweep.data().unit().isPresent()
          ? Optional.of(new Person(rows, covered))
          : Optional.empty();
    }
  }

  /** What the study that was attacked is guaranteed, and whether that holds. */
  public record Guaranteed(double epsilon, double delta, @JsonUnwrapped GuaranteeNote note) {
    @JsonIgnore
    public boolean isVoid() {
      return note.guarantee().isPresent();
    }
  }

  /**
   * What an attack has shown.
   *
   * @param byModels ε that follows from what a trainer of somebody else's says of rows by its
   *     released models alone
   */
  public record LowerBound(
      double epsilon, double confidence, String method, OptionalDouble byModels) {}

  /** Of which model members were told from other rows. */
  public record Membership(OptionalDouble testAccuracy, int members, int others) {}

  public record Guesses(String canaries, int coins, int guesses, int right, List<String> used) {}

  /** Whether a row that adds nothing changed a document. */
  public record Silence(String released, int compared, List<String> different) {}

  public record Rate(double at, double rate) {}

  /**
   * True positives against false ones.
   *
   * @param points each with its false and its true positives
   * @param references how many reference studies it took
   */
  public record Curve(
      String name,
      double auc,
      List<Rate> truePositives,
      List<List<Double>> points,
      OptionalInt references) {
    static Curve of(String name, RocCurve curve, OptionalInt references) {
      List<RocCurve.Point> all = curve.points();
      int step = Math.max(1, all.size() / MOST_POINTS);
      return new Curve(
          name,
          curve.area(),
          DoubleStream.of(FEW).mapToObj(at -> new Rate(at, curve.truePositivesAt(at))).toList(),
          IntStream.range(0, all.size())
              .filter(i -> i % step == 0 || i == all.size() - 1)
              .mapToObj(i -> List.of(all.get(i).falsePositives(), all.get(i).truePositives()))
              .toList(),
          references);
    }
  }

  public static AttackDocument of(CanaryReport report) {
    SweepDefinition sweep = report.result().study().sweep();
    PrivacyStatement statement = report.result().statement();
    StudyRecord record = report.result().study().record();
    // Only a study of private rows has kept its account.
    Optional<String> charged = sweep.account().map(account -> record.name() + "-" + record.id());
    return new AttackDocument(
        Subject.of("canary", sweep, report.seed(), report.seconds(), charged),
        Person.of(sweep, report.rows(), report.covered()),
        guaranteed(sweep, statement.epsilon().value(), GuaranteeNote.of(statement)),
        Optional.of(
            new LowerBound(
                report.epsilonAtLeast(),
                report.confidence(),
                "one run (Steinke, Nasr and Jagielski 2023)",
                report.byModels())),
        Optional.empty(),
        Optional.of(
            new Guesses(
                report.kind().key(),
                report.guesses().rows(),
                report.guesses().made(),
                report.guesses().right(),
                report.used())),
        OptionalInt.empty(),
        Optional.of(report.refutes()),
        Optional.empty(),
        Optional.of(report.problems()),
        Optional.of(List.of(Curve.of("canaries", report.curve(), OptionalInt.empty()))),
        Optional.empty());
  }

  public static AttackDocument of(MembershipReport report) {
    return new AttackDocument(
        Subject.of("membership", report.sweep(), report.seed(), report.seconds(), Optional.empty()),
        Optional.empty(),
        guaranteed(report.sweep(), report.epsilon(), GuaranteeNote.of(report.voidReasons()))
            .filter(guaranteed -> Double.isFinite(guaranteed.epsilon())),
        Optional.empty(),
        Optional.of(new Membership(report.testAccuracy(), report.members(), report.others())),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            report.attacks().stream()
                .map(a -> Curve.of(a.name(), a.curve(), OptionalInt.of(a.references())))
                .toList()),
        Optional.empty());
  }

  public static AttackDocument of(NeighbourReport report) {
    double most =
        report.statistics().stream()
            .filter(Statistic::covered)
            .mapToDouble(Statistic::epsilonAtLeast)
            .max()
            .orElse(0);
    return new AttackDocument(
        Subject.of("neighbours", report.sweep(), report.seed(), report.seconds(), Optional.empty()),
        Person.of(report.sweep(), report.rows(), report.coversPerson()),
        guaranteed(report.sweep(), report.epsilon(), GuaranteeNote.of(report.voidReasons())),
        Optional.of(
            new LowerBound(
                most,
                report.confidence(),
                "many runs (Clopper-Pearson), all numbers together",
                OptionalDouble.empty())),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.of(report.runs()),
        Optional.of(report.refutes()),
        Optional.of(
            new Silence(
                report.silent().outcome().name().toLowerCase(Locale.ROOT),
                report.silent().compared(),
                report.silent().different())),
        Optional.of(report.problems()),
        Optional.empty(),
        Optional.of(report.statistics()));
  }

  private static Optional<Guaranteed> guaranteed(
      SweepDefinition sweep, double epsilon, GuaranteeNote note) {
    return Optional.of(new Guaranteed(epsilon, sweep.budget().delta().value(), note));
  }

  /** Whether the guarantee is refuted. */
  public boolean refuted() {
    return refutes.orElse(false);
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(subject.name()).append(": ").append(subject.notice()).append(".\n\n");
    lines().forEach(line -> text.append(line).append('\n'));
    DataTable table = table();
    return table.rows().isEmpty() ? text.toString() : text.append('\n').append(table).toString();
  }

  /** What it showed, in sentences. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    guaranteed.ifPresent(
        g ->
            lines.add(
                "guaranteed:  epsilon at most %s at delta %s%s"
                    .formatted(
                        DisplayNumber.epsilon(g.epsilon()),
                        DisplayNumber.delta(g.delta()),
                        g.note().why().map(why -> ", WHICH DOES NOT HOLD: " + why).orElse(""))));
    lowerBound.ifPresent(
        bound ->
            lines.add(
                "attack:      epsilon at least %s at a confidence of %s: a lower bound, no guarantee"
                    .formatted(PrintedNumber.down(bound.epsilon(), 4), confidence(bound))));
    lowerBound
        .map(LowerBound::byModels)
        .orElse(OptionalDouble.empty())
        .ifPresent(
            epsilon ->
                lines.add(
                    "             epsilon at least %s by what the trainer's released models say alone, both at that confidence"
                        .formatted(PrintedNumber.down(epsilon, 4))));
    person.ifPresent(
        p ->
            lines.add(
                "put in:      %s%s"
                    .formatted(
                        p.rows() == 1 ? "people of one row" : "people of " + p.rows() + " rows",
                        p.covered()
                            ? ", each of whom is protected whole"
                            : "; EACH ROW IS PROTECTED BY ITSELF, the person is not")));
    canaries.ifPresent(
        c ->
            lines.add(
                "%d of %d guesses right, for %d %s canaries, each in by a fair coin"
                    .formatted(c.right(), c.guesses(), c.coins(), c.canaries())));
    rowThatAddsNothing.ifPresent(
        silent ->
            lines.add(
                switch (silent.released()) {
                  case "same" ->
                      "a row that adds nothing: all of %d documents the same to the last byte"
                          .formatted(silent.compared());
                  case "different" ->
                      "A ROW THAT ADDS NOTHING CHANGED: " + String.join(", ", silent.different());
                  default ->
                      "a row that adds nothing: there is none for these features, this method or adjacency";
                }));
    canaries.ifPresent(c -> c.used().forEach(used -> lines.add("seen: " + used)));
    problems.ifPresent(all -> all.forEach(problem -> lines.add("FOUND: " + problem)));
    if (refuted()) {
      lines.add("THE GUARANTEE IS REFUTED at this confidence.");
    }
    return lines;
  }

  /** In full: 0.999999 is not 1. */
  public static String confidence(LowerBound bound) {
    return BigDecimal.valueOf(bound.confidence()).toPlainString();
  }

  /** The numbers behind it. */
  public DataTable table() {
    if (numbers.isPresent()) {
      return DataTable.of(
          List.of("number", "mean without", "mean with", "epsilon at least", "covered"),
          numbers.get(),
          n ->
              DataTable.row(
                  n.number(),
                  DisplayNumber.value(n.without()),
                  DisplayNumber.value(n.with()),
                  PrintedNumber.down(n.epsilonAtLeast(), 4),
                  n.covered() ? "yes" : "no"));
    }
    return DataTable.of(
        List.of("attack", "AUC", "TPR at 0.1% FPR", "at 1%", "at 10%"),
        curves.orElse(List.of()),
        curve ->
            DataTable.row(
                curve.name(),
                DisplayNumber.value(curve.auc()),
                rate(curve, 0),
                rate(curve, 1),
                rate(curve, 2)));
  }

  private static String rate(Curve curve, int index) {
    return DisplayNumber.percent(curve.truePositives().get(index).rate());
  }
}
