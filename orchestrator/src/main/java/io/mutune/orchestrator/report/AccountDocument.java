package io.mutune.orchestrator.report;

import io.mutune.accountant.Delta;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A data set's account as people and programs read it. */
public record AccountDocument(
    AccountRecord account, List<AccountEntry> entries, LedgerFinding ledger) {
  public AccountDocument {
    entries = List.copyOf(entries);
  }

  /** As the store has it now. */
  public static AccountDocument of(StudyStore store, AccountRecord account) {
    return new AccountDocument(
        account, store.accountEntries(account.name()), store.accountLedger(account.name()));
  }

  private AccountStanding standing() {
    return AccountStanding.of(account, entries);
  }

  public ObjectNode json() {
    return fill(Json.document(), Optional.empty());
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
    delta.ifPresent(d -> json.put("delta", d.value()));
    putLeft(json, "cap", standing.cap(), delta);
    putCost(json, "held", standing.held(), delta);
    putCost(json, "settled", standing.settled(), delta);
    putCost(json, "reserved", standing.reserved(), delta);
    putLeft(json, "left", standing.left(), delta);
    json.putObject("ledger").put("entries", ledger.entries()).put("head", ledger.head());
    return json;
  }

  private static void putCost(ObjectNode json, String key, GaussianDp cost, Optional<Delta> delta) {
    ObjectNode figure = json.putObject(key).put("mu", cost.mu().value());
    delta
        .filter(d -> cost.hasFiniteEpsilon())
        .ifPresent(d -> figure.put("epsilon", cost.epsilon(d).value()));
  }

  private static void putLeft(ObjectNode json, String key, GaussianDp left, Optional<Delta> delta) {
    ObjectNode figure = json.putObject(key).put("mu", left.mu().value());
    delta
        .filter(d -> left.hasFiniteEpsilon())
        .ifPresent(d -> figure.put("epsilon", left.epsilonAtMost(d).value()));
  }

  /**
   * Adds the studies that have drawn on it, in the order in which they did, and where they stand.
   */
  public ObjectNode putStudies(ObjectNode json, StudyStore store) {
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
        study.put("state", record.state().name().toLowerCase(Locale.ROOT));
      }
      study.put("what", word(entry)).put("mu", entry.cost().mu().value());
    }
    return json;
  }

  private static Map<String, AccountEntry> last(List<AccountEntry> entries) {
    Map<String, AccountEntry> last = new LinkedHashMap<>();
    entries.forEach(entry -> last.put(entry.study(), entry));
    return last;
  }

  public String text() {
    AccountStanding standing = standing();
    return String.format(
        Locale.ROOT,
        "%s (%s): mu %s for %s neighbours, since %s%s%n%n"
            + "ended studies: mu %s%nopen studies:  mu %s, reserved%n"
            + "together:      mu %s%nleft:          mu %s%n"
            + "ledger:        %s entries, head %s%n",
        account.name(),
        account.identity(),
        DisplayNumber.left(standing.cap().mu()),
        account.adjacency().key(),
        account.created(),
        account.fingerprint().map(text -> ", rows " + text).orElse(""),
        DisplayNumber.cost(standing.settled().mu()),
        DisplayNumber.cost(standing.reserved().mu()),
        DisplayNumber.cost(standing.held().mu()),
        DisplayNumber.left(standing.left().mu()),
        ledger.entries(),
        ledger.head());
  }

  public String history() {
    TextTable table = new TextTable("entry", "what", "study", "mu", "at", "left");
    for (int i = 0; i < entries.size(); i++) {
      AccountEntry entry = entries.get(i);
      table.row(
          Long.toString(entry.entry()),
          word(entry),
          entry.study(),
          DisplayNumber.cost(entry.cost().mu()),
          entry.at().toString(),
          DisplayNumber.left(after(i).left().mu()));
    }
    return table.toString();
  }

  public ObjectNode historyJson() {
    return historyJson(entries.size());
  }

  /**
   * The newest entries, and how the account stood after each.
   *
   * @param most how many; each takes longer the more there were before it
   */
  public ObjectNode historyJson(int most) {
    ObjectNode json = Json.document().put("account", account.name());
    json.put("created", account.created().toString());
    json.putObject("cap").put("mu", standing().cap().mu().value());
    json.put("all", entries.size());
    ArrayNode array = json.putArray("entries");
    for (int i = Math.max(0, entries.size() - most); i < entries.size(); i++) {
      AccountEntry entry = entries.get(i);
      AccountStanding after = after(i);
      array
          .addObject()
          .put("entry", entry.entry())
          .put("what", word(entry))
          .put("study", entry.study())
          .put("mu", entry.cost().mu().value())
          .put("at", entry.at().toString())
          .put("settled", after.settled().mu().value())
          .put("reserved", after.reserved().mu().value())
          .put("left", after.left().mu().value());
    }
    return json;
  }

  private AccountStanding after(int index) {
    return AccountStanding.of(account, entries.subList(0, index + 1));
  }

  private static String word(AccountEntry entry) {
    return entry.kind().name().toLowerCase(Locale.ROOT);
  }
}
