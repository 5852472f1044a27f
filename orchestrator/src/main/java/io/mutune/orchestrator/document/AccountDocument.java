package io.mutune.orchestrator.document;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.PrivacyProfile;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.StatedUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A data set's account as people and programs read it.
 *
 * @param unit whom it protects; empty before anything draws on it
 */
public record AccountDocument(
    AccountRecord account,
    Optional<StatedUnit> unit,
    List<AccountEntry> entries,
    LedgerFinding ledger) {
  public AccountDocument {
    entries = List.copyOf(entries);
  }

  /** As the store has it now. */
  public static AccountDocument of(StudyStore store, AccountRecord account) {
    return new AccountDocument(
        account,
        store.accountUnits(account.name()).stream().findFirst(),
        store.accountEntries(account.name()),
        store.accountLedger(account.name()));
  }

  private boolean isOfPeople() {
    return unit.flatMap(StatedUnit::column).isPresent();
  }

  private AccountStanding standing() {
    return AccountStanding.of(account, entries);
  }

  /**
   * All of it, with the profile of the cap. What is held is counted, and no guarantee: whether a
   * study begins or is stopped may follow from what others released.
   *
   * @param delta at which ε is said beside each μ, if it is to be
   */
  public ObjectNode json(Optional<Delta> delta) {
    ObjectNode json = fill(Json.document(), delta);
    json.set("profile", Json.tree(ProfileDocument.of(standing().cap())));
    return json;
  }

  /**
   * Its fields in an object.
   *
   * @param delta at which ε is said beside each μ, if it is to be
   */
  public ObjectNode fill(ObjectNode json, Optional<Delta> delta) {
    AccountStanding standing = standing();
    json.put("account", account.name()).put("identity", account.identity());
    account.fingerprint().ifPresent(text -> json.put("fingerprint", text));
    json.put("created", account.created().toString());
    json.put("adjacency", account.adjacency().key());
    unit.ifPresent(unused -> json.put("unit", isOfPeople() ? "person" : "row"));
    delta.ifPresent(d -> json.put("delta", d.value()));
    putCost(json, "cap", standing.cap(), delta);
    putCost(json, "held", standing.held(), delta);
    putCost(json, "settled", standing.settled(), delta);
    putCost(json, "reserved", standing.reserved(), delta);
    putLeft(json, standing.left(), delta);
    ObjectNode chain = json.putObject("ledger");
    ledger.count().ifPresent(count -> chain.put("entries", count));
    chain.put("head", ledger.head());
    return json;
  }

  private static void putCost(
      ObjectNode json, String key, ApproximateGaussianDp cost, Optional<Delta> delta) {
    ObjectNode figure = put(json.putObject(key), cost);
    delta.ifPresent(d -> putEpsilon(figure, cost, d));
  }

  private static void putLeft(ObjectNode json, ApproximateGaussianDp left, Optional<Delta> delta) {
    ObjectNode figure = put(json.putObject("left"), left);
    delta.flatMap(d -> oneMore(left, d)).ifPresent(more -> figure.put("epsilon", more.value()));
  }

  /** The ε of one more study, rounded down: of most, which have no δ₀. */
  private static Optional<Epsilon> oneMore(ApproximateGaussianDp left, Delta delta) {
    return left.gaussian().finiteEpsilonAtMost(delta);
  }

  /** μ, and δ₀ where there is one. */
  private static ObjectNode put(ObjectNode json, ApproximateGaussianDp cost) {
    json.put("mu", cost.mu().value());
    return cost.delta0().value() > 0 ? json.put("delta0", cost.delta0().value()) : json;
  }

  /**
   * Adds the studies that have drawn on it, in the order in which they did, and where they stand.
   *
   * @param delta at which ε is said beside μ
   */
  public ObjectNode putStudies(ObjectNode json, StudyStore store, Delta delta) {
    Map<String, StudyRecord> records =
        store.studies().stream().collect(Collectors.toMap(StudyRecord::id, Function.identity()));
    ArrayNode array = json.putArray("studies");
    for (AccountEntry entry : last(entries).values()) {
      if (!entry.kind().holds()) {
        continue;
      }
      ObjectNode study = array.addObject().put("study", entry.study());
      StudyRecord record = records.get(entry.study());
      if (record != null) {
        study.put("name", record.name());
        study.put("state", Study.stateOf(store, record));
      }
      put(study.put("what", word(entry)), entry.cost());
      putEpsilon(study, entry.cost(), delta);
    }
    return json;
  }

  private static Map<String, AccountEntry> last(List<AccountEntry> entries) {
    Map<String, AccountEntry> last = new LinkedHashMap<>();
    entries.forEach(entry -> last.put(entry.study(), entry));
    return last;
  }

  /**
   * For people.
   *
   * @param delta at which ε is said beside μ
   */
  public String text(Delta delta) {
    AccountStanding standing = standing();
    return String.format(
            Locale.ROOT,
            "%s (%s): %s at delta %s, for %s neighbours%s, since %s%s%n%n"
                + "ended studies: %s%nopen studies:  %s, reserved%n"
                + "counted:       %s%nleft:          %s%n"
                + "ledger:        %s entries, head %s%n",
            account.name(),
            account.identity(),
            cost(standing.cap(), delta),
            DisplayNumber.delta(delta),
            account.adjacency().key(),
            isOfPeople() ? " that differ in one person" : "",
            account.created(),
            account.fingerprint().map(text -> ", rows " + text).orElse(""),
            cost(standing.settled(), delta),
            cost(standing.reserved(), delta),
            cost(standing.held(), delta),
            standing.held().mu().value() == 0 && !hasDelta0()
                ? cost(standing.cap(), delta)
                : left(standing.left(), delta),
            ledger.entries(),
            ledger.head())
        + epsilons(standing);
  }

  private String epsilons(AccountStanding standing) {
    DataTable table =
        DataTable.of(
            List.of("delta", "epsilon guaranteed", "epsilon counted", "epsilon left"),
            PrivacyProfile.USUAL,
            delta ->
                DataTable.row(
                    DisplayNumber.delta(delta),
                    shown(standing.cap(), delta),
                    shown(standing.held(), delta),
                    oneMore(standing.left(), delta).map(DisplayNumber::left).orElse("none")));
    return "\n"
        + table
        + "\nThe guarantee is the cap: whether a study begins or is stopped may follow from what others\n"
        + "released, and then what is counted is no guarantee. How often any test misses a %s that took part:\n\n"
            .formatted(isOfPeople() ? "person" : "row")
        + ProfileDocument.of(standing.cap()).errorTable();
  }

  private static String shown(ApproximateGaussianDp cost, Delta delta) {
    return cost.hasFiniteEpsilon(delta) ? DisplayNumber.cost(cost.epsilon(delta)) : "none";
  }

  private String cost(ApproximateGaussianDp cost, Delta delta) {
    String epsilon =
        cost.hasFiniteEpsilon(delta) ? DisplayNumber.cost(cost.epsilon(delta)) : "infinite";
    return "mu %s, epsilon %s".formatted(DisplayNumber.cost(cost.mu()), epsilon)
        + delta0(DisplayNumber.cost(cost.delta0()));
  }

  private String left(ApproximateGaussianDp left, Delta delta) {
    return "mu %s, epsilon %s"
            .formatted(
                DisplayNumber.left(left.mu()),
                oneMore(left, delta).map(DisplayNumber::left).orElse("infinite"))
        + delta0(DisplayNumber.left(left.delta0()));
  }

  /** For accounts that have one. */
  private String delta0(String printed) {
    return hasDelta0() ? " and delta0 " + printed : "";
  }

  private boolean hasDelta0() {
    return standing().cap().delta0().value() > 0;
  }

  /**
   * Every entry, for people.
   *
   * @param delta at which ε is said beside μ
   */
  public String history(Delta delta) {
    boolean hasDelta0 = hasDelta0();
    List<String> columns =
        new ArrayList<>(
            List.of("entry", "what", "study", "epsilon", "mu", "at", "epsilon left", "mu left"));
    if (hasDelta0) {
      columns.addAll(List.of("delta0", "delta0 left"));
    }
    List<DataTable.Row> rows = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      AccountEntry entry = entries.get(i);
      ApproximateGaussianDp left = after(i).left();
      List<String> cells =
          new ArrayList<>(
              List.of(
                  Long.toString(entry.entry()),
                  word(entry),
                  entry.study(),
                  shown(entry.cost(), delta),
                  DisplayNumber.cost(entry.cost().mu()),
                  entry.at().toString(),
                  oneMore(left, delta).map(DisplayNumber::left).orElse("none"),
                  DisplayNumber.left(left.mu())));
      if (hasDelta0) {
        cells.add(DisplayNumber.cost(entry.cost().delta0()));
        cells.add(DisplayNumber.left(left.delta0()));
      }
      rows.add(DataTable.row(cells));
    }
    return new DataTable(columns, rows)
        + "epsilon is at delta %s, of each line alone: squares of mu add up, epsilons do not\n"
            .formatted(DisplayNumber.delta(delta));
  }

  /**
   * The newest entries for programs, and how the account stood after each.
   *
   * @param most how many; each takes longer the more there were before it
   * @param delta at which ε is said beside μ
   */
  public ObjectNode historyJson(int most, Delta delta) {
    ObjectNode json = Json.document().put("account", account.name());
    json.put("created", account.created().toString()).put("delta", delta.value());
    put(json.putObject("cap"), standing().cap());
    json.put("all", entries.size());
    ArrayNode array = json.putArray("entries");
    for (int i = Math.max(0, entries.size() - most); i < entries.size(); i++) {
      AccountEntry entry = entries.get(i);
      AccountStanding after = after(i);
      ObjectNode object =
          array
              .addObject()
              .put("entry", entry.entry())
              .put("what", word(entry))
              .put("study", entry.study());
      put(object, entry.cost())
          .put("at", entry.at().toString())
          .put("settled", after.settled().mu().value())
          .put("reserved", after.reserved().mu().value())
          .put("left", after.left().mu().value());
      putEpsilon(object, entry.cost(), delta);
      oneMore(after.left(), delta).ifPresent(more -> object.put("epsilonLeft", more.value()));
    }
    return json;
  }

  private static void putEpsilon(ObjectNode json, ApproximateGaussianDp cost, Delta delta) {
    if (cost.hasFiniteEpsilon(delta)) {
      json.put("epsilon", cost.epsilon(delta).value());
    }
  }

  private AccountStanding after(int index) {
    return AccountStanding.of(account, entries.subList(0, index + 1));
  }

  private static String word(AccountEntry entry) {
    return entry.kind().name().toLowerCase(Locale.ROOT);
  }
}
