package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountantComparison;
import io.mutune.accountant.compare.Answer;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.cost.CalibrationQuestion.Unknown;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** Writes answers as text: guarantees are rounded up, lower ends and what is left down. */
public final class CostText {
  private static final int DIGITS = 6;

  private CostText() {}

  public static String of(Cost cost) {
    StringBuilder text = new StringBuilder();
    Adjacency adjacency = cost.question().releases().adjacency();
    Bound bound = cost.bound();
    DecimalQuery query = cost.question().query();
    line(text, query.wanted(), up(bound.upper()));
    line(text, "at " + query.given(), query.at().text());
    line(text, "at least", down(bound.lower()));
    line(text, "accountant", cost.accountant());
    line(text, "neighbours", adjacency.key());
    cost.question().releases().gaussianMu().ifPresent(mu -> line(text, "mu", up(mu.value())));
    releases(text, cost.question().releases().mechanisms(), adjacency);
    cost.comparison().ifPresent(all -> text.append('\n').append(table(all)));
    return text.toString();
  }

  public static String of(CalibrationAnswer found) {
    StringBuilder text = new StringBuilder();
    CalibrationQuestion question = found.question();
    boolean room = question.unknown() != Unknown.SIGMA;
    String name = question.unknown() == Unknown.FINAL ? "epsilon" : question.unknown().key();
    line(text, name, room ? down(found.value(), question) : up(found.value()));
    if (room) {
      line(text, "at most", up(found.upper(), question));
    } else {
      line(text, "at least", down(found.lower()));
    }
    line(
        text,
        "costs",
        "epsilon %s of %s at delta %s"
            .formatted(
                up(found.cost().bound().upper()),
                question.epsilon().text(),
                question.delta().text()));
    line(text, "accountant", found.cost().accountant());
    line(text, "neighbours", question.adjacency().key());
    releases(text, question.charges(), question.adjacency());
    return text.toString();
  }

  /** What is left of a total, or that it is passed. */
  public static String left(String total, boolean passed, Optional<CalibrationAnswer> left) {
    StringBuilder text = new StringBuilder();
    line(text, "of total", total);
    line(
        text,
        "left",
        left.map(found -> down(found.value()))
            .filter(value -> !value.equals("0"))
            .map(value -> "a Gaussian run of epsilon " + value)
            .orElse(
                "nothing: the releases " + (passed ? "pass the total" : "take the whole total")));
    return text.toString();
  }

  private static void releases(
      StringBuilder text, List<Mechanism> mechanisms, Adjacency adjacency) {
    String label = "releases";
    for (Mechanism mechanism : mechanisms) {
      line(text, label, words(mechanism));
      label = "";
    }
    // How far apart two rows' vectors are does not bound what a sample of them tells.
    if (adjacency == Adjacency.REPLACE_ONE
        && mechanisms.stream().anyMatch(SubsampledGaussian.class::isInstance)) {
      line(text, "assumes", "vectors of norm at most half the sensitivity, in samples");
    }
  }

  /** One line, such as {@code 28 x gaussian: sigma 20, sensitivity 1}. */
  private static String words(Mechanism mechanism) {
    StringJoiner parameters = new StringJoiner(", ");
    long count = 1;
    for (Map.Entry<String, Number> p : mechanism.parameters().entrySet()) {
      if (p.getKey().equals("count")) {
        count = p.getValue().longValue();
      } else {
        String value =
            p.getValue() instanceof Double d
                ? DisplayNumber.parameter(p.getKey(), d)
                : p.getValue().toString();
        parameters.add(p.getKey() + " " + value);
      }
    }
    return count + " x " + mechanism.name() + ": " + parameters;
  }

  private static DataTable table(AccountantComparison all) {
    List<DataTable.Row> rows = new ArrayList<>();
    for (Map.Entry<Accountant, Answer> e : all.answers().entrySet()) {
      String name = e.getKey().key();
      if (e.getValue() instanceof Bound b) {
        String tightest = all.tightest().equals(Optional.of(e.getKey())) ? "tightest" : "";
        rows.add(DataTable.row(name, up(b.upper()), down(b.lower()), tightest));
      } else if (e.getValue() instanceof NotApplicable none) {
        rows.add(DataTable.row(name, "-", "-", "does not apply: " + none.reason()));
      }
    }
    return new DataTable(List.of("accountant", "at most", "at least", ""), rows);
  }

  private static void line(StringBuilder text, String label, String value) {
    text.append(String.format("%-12s", label)).append(value).append('\n');
  }

  private static String up(double value) {
    return Double.isInfinite(value) ? "infinite" : PrintedNumber.up(value, DIGITS);
  }

  private static String up(double value, CalibrationQuestion question) {
    return isCount(value, question) ? Long.toString((long) value) : up(value);
  }

  private static String down(double value, CalibrationQuestion question) {
    return isCount(value, question) ? Long.toString((long) value) : down(value);
  }

  private static boolean isCount(double value, CalibrationQuestion question) {
    return question.unknown() == Unknown.STEPS && Double.isFinite(value);
  }

  private static String down(double value) {
    return Double.isInfinite(value) ? "infinite" : PrintedNumber.down(value, DIGITS);
  }
}
