package io.mutune.orchestrator.document;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.study.Provenance;
import io.mutune.orchestrator.study.Statements;
import io.mutune.orchestrator.study.StudyResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * A privacy statement as {@code statement.json} and in plain words.
 *
 * @param profile the same guarantee at other δ, and as a trade-off curve; older statements have
 *     none
 * @param models what each of several models and the tuning cost together
 * @param ledger where it stood when its cost was stated
 * @param covers what the figure covers, where not all of the plan's charges were made
 */
public record StatementDocument(
    String guarantee,
    Optional<String> why,
    double epsilon,
    double delta,
    OptionalDouble mu,
    String accountant,
    Optional<ProfileDocument> profile,
    String adjacency,
    String unit,
    String kind,
    PlanDocument.BudgetEntry budget,
    List<ChargeEntry> charges,
    String scoring,
    String noise,
    List<String> released,
    List<String> excluded,
    Optional<ModelsDocument> models,
    Optional<Ledger> ledger,
    Optional<String> covers)
    implements Document {

  /** Where a ledger stood. */
  public record Ledger(long entries, String head) {
    static Ledger of(LedgerHead ledger) {
      return new Ledger(ledger.entries(), ledger.hash());
    }

    String text() {
      return """
      Ledger: %d entries when this was written, and the hash of the last is
        %s
      If an audit finds another hash for that entry, the ledger was rewritten.
      """
          .formatted(entries, head);
    }
  }

  /** One charge as every document writes it; the last two where it is read from a ledger. */
  public record ChargeEntry(
      String what,
      String mechanism,
      Map<String, Double> parameters,
      OptionalLong count,
      OptionalDouble mu,
      OptionalLong sequence,
      Optional<String> reserved) {
    public static ChargeEntry of(Charge charge) {
      return of(charge, OptionalLong.empty(), Optional.empty());
    }

    public static ChargeEntry of(StoredCharge stored) {
      return of(
          stored.charge(),
          OptionalLong.of(stored.sequence()),
          Optional.of(stored.reserved().toString()));
    }

    private static ChargeEntry of(Charge charge, OptionalLong sequence, Optional<String> reserved) {
      Map<String, Double> parameters = new LinkedHashMap<>();
      charge.mechanism().parameters().forEach((key, n) -> parameters.put(key, n.doubleValue()));
      parameters.remove(COUNT);
      Number count = charge.mechanism().parameters().get(COUNT);
      return new ChargeEntry(
          charge.what(),
          charge.mechanism().name(),
          parameters,
          count == null ? OptionalLong.empty() : OptionalLong.of(count.longValue()),
          PlanDocument.value(charge.mechanism().mu()),
          sequence,
          reserved);
    }

    /** A line for each, with whatever parameters their mechanisms have. */
    public static DataTable table(List<ChargeEntry> charges) {
      Set<String> keys = new LinkedHashSet<>();
      charges.forEach(charge -> keys.addAll(charge.parameters.keySet()));
      List<String> head = new ArrayList<>(List.of("charge", "mechanism"));
      keys.forEach(key -> head.add(key.equals("samplingRate") ? "sampling rate" : key));
      head.addAll(List.of("releases", "mu"));
      List<DataTable.Row> rows = new ArrayList<>();
      for (ChargeEntry charge : charges) {
        List<String> cells = new ArrayList<>(List.of(charge.mechanism));
        for (String key : keys) {
          Double value = charge.parameters.get(key);
          cells.add(value == null ? "" : DisplayNumber.parameter(key, value));
        }
        cells.add(charge.count.isPresent() ? Long.toString(charge.count.getAsLong()) : "");
        cells.add(DisplayNumber.ifPresent(charge.mu, DisplayNumber::mu));
        rows.add(new DataTable.Row(charge.what, cells));
      }
      DataTable table = new DataTable(head, rows);
      return rows.isEmpty() ? table : table.withoutEmptyColumns();
    }

    /** The charge that it is the entry of. */
    public Charge charge() {
      Map<String, Number> all = new HashMap<>(parameters);
      count.ifPresent(n -> all.put(COUNT, n));
      return new Charge(what, Mechanism.of(mechanism, all));
    }
  }

  private static final String COUNT = "count";

  /** In a study's folder. */
  public static final String FILE = "statement.json";

  /**
   * The one in this folder.
   *
   * @throws JacksonException if it is none
   */
  public static StatementDocument in(Path folder) throws IOException {
    return read(Json.read(Files.readString(folder.resolve(FILE))));
  }

  /** Older statements do not say by which accountant: all of them are in mu. */
  public static StatementDocument read(ObjectNode json) {
    if (!json.has("accountant")) {
      json.put("accountant", Accountant.GDP.key());
    }
    return Json.read(json, StatementDocument.class);
  }

  /** Of a finished study, with where its ledger stood. */
  public static StatementDocument of(StudyResult result) {
    return of(
        result.statement(),
        result.study().plan(),
        result.provenance().map(Provenance::ledger),
        Optional.empty());
  }

  /**
   * Of a study that has made so many of the charges that its plan has.
   *
   * @param ledger that it states the cost of
   */
  public static StatementDocument of(
      PrivacyStatement statement, StudyPlan plan, LedgerHead ledger, int made) {
    int planned = plan.size();
    String covers =
        "the whole plan of %d charges, of which %d were made: whether a study goes on may follow"
                .formatted(planned, made)
            + " from what it has released, and then no smaller figure is a guarantee";
    return of(
        statement,
        plan,
        Optional.of(ledger),
        made > 0 && made < planned ? Optional.of(covers) : Optional.empty());
  }

  private static StatementDocument of(
      PrivacyStatement statement,
      StudyPlan plan,
      Optional<LedgerHead> ledger,
      Optional<String> covers) {
    return new StatementDocument(
        statement.guarantee().key(),
        Optional.ofNullable(statement.why()),
        statement.epsilon().value(),
        statement.delta().value(),
        PlanDocument.value(statement.mu()),
        statement.accountant().key(),
        Optional.of(ProfileDocument.of(Statements.profile(plan, statement))),
        statement.budget().adjacency().key(),
        statement.unit(),
        PrivacyStatement.KIND,
        PlanDocument.BudgetEntry.of(statement.budget()),
        statement.charges().stream().map(ChargeEntry::of).toList(),
        statement.scoring(),
        statement.noise(),
        statement.released(),
        statement.excluded(),
        ModelsDocument.of(plan),
        ledger.map(Ledger::of),
        covers);
  }

  public boolean holds() {
    return guarantee.equals(PrivacyStatement.Guarantee.HOLDS.key());
  }

  /** In plain words, with where its ledger stood if that is known. */
  public String text() {
    StringBuilder text =
        new StringBuilder(GuaranteeNote.line(why.map(List::of).orElseGet(List::of)));
    text.append("Privacy statement\n\n");
    text.append(
        String.format(
            Locale.ROOT,
            "%s (%s, %s)-differentially private together,%n",
            holds()
                ? "Everything that this study released is"
                : "But for that, everything that this study released would be",
            DisplayNumber.epsilon(epsilon),
            DisplayNumber.delta(delta)));
    text.append(total());
    text.append(
        String.format(
            Locale.ROOT, "Protected: %s, under %s neighbours (%s).%n", unit, adjacency, alike()));
    text.append("The figure is the total of a plan fixed before any row was read.\n");
    profile.ifPresent(other -> text.append('\n').append(other.text()));
    models.ifPresent(several -> text.append('\n').append(several.text()));
    text.append('\n').append(ChargeEntry.table(charges)).append('\n');
    text.append("Scoring: ").append(scoring).append(".\n");
    text.append("Noise: ").append(noise).append(".\n");
    text.append("Released:\n");
    released.forEach(item -> text.append("  - ").append(item).append('\n'));
    text.append("Not covered:\n");
    excluded.forEach(item -> text.append("  - ").append(item).append('\n'));
    ledger.ifPresent(at -> text.append(at.text()));
    return text.toString();
  }

  /** Whether what a statement protects is a person, of whom there may be several rows. */
  public static boolean isPerson(String unit) {
    return unit.startsWith("one person");
  }

  /** What it protects, in a word. */
  public String protectedOne() {
    return isPerson(unit) ? "person" : "row";
  }

  private String alike() {
    String what = protectedOne();
    return adjacency.equals(Adjacency.REPLACE_ONE.key())
        ? "the data with another " + what + " in its place look alike"
        : "the data with and without the " + what + " look alike";
  }

  /** The rest of the sentence. */
  private String total() {
    String cost = DisplayNumber.epsilon(epsilon);
    String at = DisplayNumber.delta(delta);
    if (mu.isEmpty()) {
      return String.format(
          Locale.ROOT, "epsilon %s at delta %s, by the accountant %s.%n", cost, at, accountant);
    }
    String gaussian = DisplayNumber.mu(mu.getAsDouble());
    return String.format(
        Locale.ROOT,
        "and %s-Gaussian differentially private: epsilon %s at delta %s, mu %s.%n",
        gaussian,
        cost,
        at,
        gaussian);
  }
}
