package io.mutune.orchestrator.cli;

import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.Show;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StudyStore;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An account as people and programs read it. */
record AccountView(AccountRecord account, List<AccountEntry> entries, LedgerFinding ledger) {
  AccountView {
    entries = List.copyOf(entries);
  }

  static AccountView of(StudyStore store, AccountRecord account) {
    return new AccountView(
        account, store.accountEntries(account.name()), store.accountLedger(account.name()));
  }

  static AccountView of(StudyStore store, String name) {
    return of(
        store,
        store
            .account(name)
            .orElseThrow(
                () ->
                    new UsageException(
                        "there is no account '" + name + "'; see 'mutune account show'")));
  }

  private AccountStanding standing() {
    return AccountStanding.of(account.cap(), entries);
  }

  String json() {
    return Json.write(fill(Json.document()));
  }

  ObjectNode fill(ObjectNode json) {
    AccountStanding standing = standing();
    json.put("account", account.name()).put("identity", account.identity());
    account.fingerprint().ifPresent(text -> json.put("fingerprint", text));
    json.put("created", account.created().toString());
    json.put("adjacency", account.adjacency().key());
    put(json, "cap", account.cap());
    put(json, "held", standing.held());
    put(json, "settled", standing.settled());
    put(json, "reserved", standing.reserved());
    put(json, "left", standing.left());
    json.putObject("ledger").put("entries", ledger.entries()).put("head", ledger.head());
    return json;
  }

  private static void put(ObjectNode json, String key, GaussianDp cost) {
    json.putObject(key).put("mu", cost.mu().value());
  }

  String text() {
    AccountStanding standing = standing();
    return String.format(
        Locale.ROOT,
        "%s (%s): mu %s for %s neighbours, since %s%s%n%n"
            + "ended studies: mu %s%nopen studies:  mu %s, reserved%n"
            + "together:      mu %s%nleft:          mu %s%n"
            + "ledger:        %s entries, head %s%n",
        account.name(),
        account.identity(),
        Show.left(account.cap().mu()),
        account.adjacency().key(),
        account.created(),
        account.fingerprint().map(text -> ", rows " + text).orElse(""),
        Show.cost(standing.settled().mu()),
        Show.cost(standing.reserved().mu()),
        Show.cost(standing.held().mu()),
        Show.left(standing.left().mu()),
        ledger.entries(),
        ledger.head());
  }

  String history() {
    TextTable table = new TextTable("entry", "what", "study", "mu", "at", "left");
    for (int i = 0; i < entries.size(); i++) {
      AccountEntry entry = entries.get(i);
      table.row(
          Long.toString(entry.entry()),
          word(entry),
          entry.study(),
          Show.cost(entry.cost().mu()),
          entry.at().toString(),
          Show.left(leftAfter(i).mu()));
    }
    return table.toString();
  }

  String historyJson() {
    ObjectNode json = Json.document().put("account", account.name());
    ArrayNode array = json.putArray("entries");
    for (int i = 0; i < entries.size(); i++) {
      AccountEntry entry = entries.get(i);
      array
          .addObject()
          .put("entry", entry.entry())
          .put("what", word(entry))
          .put("study", entry.study())
          .put("mu", entry.cost().mu().value())
          .put("at", entry.at().toString())
          .put("left", leftAfter(i).mu().value());
    }
    return Json.write(json);
  }

  private GaussianDp leftAfter(int index) {
    return AccountStanding.of(account.cap(), entries.subList(0, index + 1)).left();
  }

  private static String word(AccountEntry entry) {
    return entry.kind().name().toLowerCase(Locale.ROOT);
  }
}
