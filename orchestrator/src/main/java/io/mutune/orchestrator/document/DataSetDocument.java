package io.mutune.orchestrator.document;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.UnitOfPrivacy;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.table.Cell;
import io.mutune.trainer.table.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is public of a registered data set: its card without the places of files, and its budget.
 *
 * @param cardVersion which version of the card it is
 * @param state {@code registered} or {@code retired}
 * @param owner the name of the token whose holder may retire it and raise its budget
 * @param declared what its owner says of the rows that need protection
 * @param rows the public number of all rows, or of people where these are the unit
 * @param people the same where it is one of people
 * @param heldOut of them from training, by part; empty where nothing is
 * @param classes the labels; empty where targets are real
 * @param columns of a table, each with its name, its type and its settings
 * @param parts by name, whether public or private
 * @param unit whose rows are protected together
 * @param account that its studies draw on
 * @param capMu of the account
 * @param leftMu for further studies
 * @param capDelta0 what of the account's delta studies of sampled methods may use together
 * @param leftDelta0 of that
 * @param trainers programs that sweeps may name; how they are started is their owner's
 * @param delta of the budget in the card, where that has an epsilon
 * @param confirmed figures that were read from the private file, which its owner calls public
 */
public record DataSetDocument(
    String name,
    long cardVersion,
    String state,
    String registered,
    Optional<String> owner,
    String description,
    String declared,
    long rows,
    OptionalLong people,
    Optional<Map<String, PlanDocument.HeldOut>> heldOut,
    List<String> classes,
    Optional<ModelDocument.Range> target,
    Optional<List<Map<String, Object>>> columns,
    Map<String, String> parts,
    Optional<UnitOfPrivacy> unit,
    String adjacency,
    String account,
    double capMu,
    double leftMu,
    double capDelta0,
    double leftDelta0,
    List<String> trainers,
    Optional<Double> delta,
    List<String> confirmed)
    implements Document {
  /** All data sets of a store. */
  public record All(List<DataSetDocument> dataSets) implements Document {}

  /** As the store has it now. */
  public static DataSetDocument of(StudyStore store, DataSetRecord set) {
    DataCard card = DataCardReader.read(set.name(), set.card().text(), set.card().context());
    SweepData data = card.data();
    AccountRecord account = store.account(set.card().account()).orElseThrow();
    AccountStanding standing = AccountStanding.of(account, store.accountEntries(account.name()));
    Labelling labelling = data.training().spec().labelling();
    long rows = data.stated(data.training()).orElseThrow();
    return new DataSetDocument(
        set.name(),
        set.card().version(),
        set.retired() ? "retired" : "registered",
        set.at().toString(),
        card.owner(),
        card.description(),
        data.declared().key(),
        rows,
        data.unit().isPresent() ? OptionalLong.of(rows) : OptionalLong.empty(),
        PlanDocument.heldOut(data),
        labelling instanceof ClassLabels labels ? labels.names() : List.of(),
        ModelDocument.Range.of(labelling),
        Optional.ofNullable(data.training().spec().table()).map(Table::columnSettings),
        parts(data),
        data.unit(),
        card.adjacency().key(),
        account.name(),
        standing.cap().mu().value(),
        standing.left().mu().value(),
        standing.cap().delta0().value(),
        standing.left().delta0().value(),
        List.copyOf(card.trainers().keySet()),
        card.budget().flatMap(budget -> Optional.ofNullable(budget.delta())),
        data.confirmed());
  }

  private static Map<String, String> parts(SweepData data) {
    Map<String, String> parts = new LinkedHashMap<>();
    put(parts, "public", data.publicRows());
    put(parts, "validation", data.validation());
    put(parts, "test", data.test());
    return parts;
  }

  private static void put(Map<String, String> parts, String name, Optional<DataSource> part) {
    part.ifPresent(source -> parts.put(name, source.isPrivate() ? "private" : "public"));
  }

  /** The public number of what is protected, and what that is. */
  public String size() {
    return rows + (unit.isPresent() ? " people" : " rows");
  }

  /** At which ε is said of an account: that of the card of the set whose own it is. */
  public static Delta deltaOf(StudyStore store, String account, Delta usual) {
    try {
      return store
          .dataSet(account)
          .filter(set -> set.card().account().equals(account))
          .map(set -> of(store, set).deltaOr(usual))
          .orElse(usual);
    } catch (InvalidSweepException e) {
      return usual; // of a card that an earlier version took
    }
  }

  /** At which ε is said beside μ: that of the card, if it has one. */
  public Delta deltaOr(Delta usual) {
    return delta.map(Delta::of).orElse(usual);
  }

  /** What is left for further studies in μ, rounded down unless it is all of it. */
  public String leftText() {
    return isUntouched() ? DisplayNumber.cost(Mu.of(capMu)) : DisplayNumber.left(Mu.of(leftMu));
  }

  /** The same as the ε of one more study, rounded down. */
  public String leftEpsilon(Delta delta) {
    return GaussianDp.of(Mu.of(leftMu))
        .finiteEpsilonAtMost(delta)
        .map(DisplayNumber::left)
        .orElse("infinite");
  }

  /** That of all studies together, which is the guarantee: rounded up. */
  private String capEpsilon(Delta delta) {
    ApproximateGaussianDp cap = new ApproximateGaussianDp(Mu.of(capMu), Delta.of(capDelta0));
    return cap.hasFiniteEpsilon(delta) ? DisplayNumber.cost(cap.epsilon(delta)) : "infinite";
  }

  /**
   * For people.
   *
   * @param delta at which ε is said beside μ
   */
  public String text(Delta delta) {
    StringBuilder text = new StringBuilder();
    line(text, "data set", state.equals("retired") ? name + ", retired" : name);
    if (!description.isEmpty()) {
      line(text, "", description);
    }
    line(text, "card", "version " + cardVersion + ", registered " + registered);
    owner.ifPresent(holder -> line(text, "owner", holder));
    line(text, unit.isPresent() ? "people" : "rows", rows + ", " + declared);
    heldOut.ifPresent(
        held ->
            line(text, "held out", PlanDocument.heldOutWords(held) + ", by a keyed hash of each"));
    unit.ifPresent(
        person ->
            line(
                text,
                "unit",
                "a person by %s, of whom at most %d rows count"
                    .formatted(person.column(), person.rows())));
    line(
        text,
        target.isPresent() ? "target" : "classes",
        target
            .map(range -> range.min() + " to " + range.max())
            .orElseGet(() -> String.join(", ", classes)));
    columns.ifPresent(
        described -> {
          line(text, "columns", described.size() + "");
          described.forEach(column -> text.append("  ").append(columnText(column)).append('\n'));
        });
    parts.forEach((part, kind) -> line(text, part + " rows", kind));
    line(text, "neighbours", adjacency);
    line(
        text,
        "budget",
        "mu %s of the account %s, %s left"
            .formatted(
                DisplayNumber.cost(Mu.of(capMu)),
                account,
                isUntouched() ? "all of it" : "mu " + leftText()));
    line(
        text,
        "",
        "%s: epsilon %s at delta %s%s; 'mutune account show %s' has other delta"
            .formatted(
                capDelta0 > 0 ? "all studies together" : "as one study",
                capEpsilon(delta),
                DisplayNumber.delta(delta),
                isUntouched() && capDelta0 == 0
                    ? ""
                    : ", with room for one more of %s".formatted(leftEpsilon(delta)),
                account));
    if (capDelta0 > 0) {
      line(
          text,
          "",
          "delta0 %s, %s left"
              .formatted(
                  DisplayNumber.cost(Delta.of(capDelta0)),
                  DisplayNumber.left(Delta.of(leftDelta0))));
    }
    if (!trainers.isEmpty()) {
      line(text, "trainers", String.join(", ", trainers));
    }
    if (!confirmed.isEmpty()) {
      text.append("Read from the private file, and public knowledge by its owner's word: ");
      text.append(String.join(", ", confirmed)).append('\n');
    }
    return text.toString();
  }

  /** Then what is left, rounded down, would look like less than the budget, rounded up. */
  private boolean isUntouched() {
    return leftMu >= capMu * (1 - 1e-9);
  }

  private static String columnText(Map<String, Object> column) {
    StringBuilder text = new StringBuilder();
    text.append(column.get("name")).append(": ").append(column.get("type"));
    if (column.containsKey("min")) {
      text.append(", ")
          .append(shown(column.get("min")))
          .append(" to ")
          .append(shown(column.get("max")));
    }
    if (column.get("values") instanceof List<?> values) {
      text.append(", ").append(values.size()).append(" values");
    }
    if (column.containsKey("buckets")) {
      text.append(", ").append(column.get("buckets")).append(" buckets");
    }
    return text.toString();
  }

  private static String shown(@Nullable Object bound) {
    return bound instanceof Double number ? Cell.written(number) : String.valueOf(bound);
  }

  private static void line(StringBuilder text, String key, String value) {
    text.append(String.format(Locale.ROOT, "%-11s %s%n", key.isEmpty() ? "" : key + ":", value));
  }
}
