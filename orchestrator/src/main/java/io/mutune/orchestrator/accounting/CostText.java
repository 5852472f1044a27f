package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.Answer;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Comparison;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.accounting.Calibration.Unknown;
import io.mutune.orchestrator.report.TextTable;
import java.util.Map;
import java.util.Optional;

/** Answers in plain words: what is guaranteed is rounded up, lower ends and what is left down. */
public final class CostText {
  private static final int DIGITS = 6;

  private CostText() {}

  public static String of(Cost cost) {
    StringBuilder text = new StringBuilder();
    Adjacency adjacency = cost.question().releases().adjacency();
    Bound bound = cost.bound();
    line(text, cost.question().ask().wanted(), up(bound.upper()));
    Ask ask = cost.question().ask();
    line(text, "at " + ask.given(), ask.at().text());
    line(text, "at least", down(bound.lower()));
    line(text, "accountant", cost.accountant());
    line(text, "neighbours", adjacency.key());
    Charged.mu(cost.question().releases()).ifPresent(mu -> line(text, "mu", up(mu.value())));
    String label = "releases";
    for (Mechanism mechanism : cost.question().releases().mechanisms()) {
      line(text, label, Charged.words(mechanism));
      label = "";
    }
    cost.comparison().ifPresent(all -> text.append('\n').append(table(all)));
    return text.toString();
  }

  public static String of(Calibrated found) {
    StringBuilder text = new StringBuilder();
    Calibration question = found.question();
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
    String label = "releases";
    for (Mechanism mechanism : question.charges()) {
      line(text, label, Charged.words(mechanism));
      label = "";
    }
    return text.toString();
  }

  /** What is left of a total, or that it is passed. */
  public static String left(String total, Optional<Calibrated> left) {
    StringBuilder text = new StringBuilder();
    line(text, "of total", total);
    line(
        text,
        "left",
        left.map(found -> "a Gaussian run of epsilon " + down(found.value()))
            .orElse("nothing: the releases pass the total"));
    return text.toString();
  }

  private static TextTable table(Comparison all) {
    TextTable table = new TextTable("accountant", "at most", "at least", "");
    for (Map.Entry<Accountant, Answer> e : all.answers().entrySet()) {
      String name = e.getKey().key();
      if (e.getValue() instanceof Bound b) {
        boolean tightest = all.tightest().equals(Optional.of(e.getKey()));
        table.row(name, up(b.upper()), down(b.lower()), tightest ? "tightest" : "");
      } else if (e.getValue() instanceof NotApplicable none) {
        table.row(name, "-", "-", "does not apply: " + none.reason());
      }
    }
    return table;
  }

  private static void line(StringBuilder text, String label, String value) {
    text.append(String.format("%-12s", label)).append(value).append('\n');
  }

  private static String up(double value) {
    return Double.isInfinite(value) ? "infinite" : PrintedNumber.up(value, DIGITS);
  }

  private static String up(double value, Calibration question) {
    return isCount(value, question) ? Long.toString((long) value) : up(value);
  }

  private static String down(double value, Calibration question) {
    return isCount(value, question) ? Long.toString((long) value) : down(value);
  }

  private static boolean isCount(double value, Calibration question) {
    return question.unknown() == Unknown.STEPS && Double.isFinite(value);
  }

  private static String down(double value) {
    return Double.isInfinite(value) ? "infinite" : PrintedNumber.down(value, DIGITS);
  }
}
