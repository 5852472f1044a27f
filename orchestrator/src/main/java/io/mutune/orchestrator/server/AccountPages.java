package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.AccountDocument;
import io.mutune.orchestrator.document.DataSetDocument;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.LifetimeBudget;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers requests about accounts: what is spent, held and left of each, and by which studies. */
final class AccountPages {
  private static final int MOST_ENTRIES = 500;
  private static final Set<String> KEYS =
      Set.of("name", "mu", "epsilon", "delta", "sampledDelta", "adjacency", "rowsFingerprint");

  private final StudyStore store;
  private final Delta delta;
  private final Map<HistoryKey, History> histories = new ConcurrentHashMap<>();

  private record HistoryKey(String account, Delta delta) {}

  /** Cached by the number of entries, since entries are only added. */
  private record History(int entries, String json) {}

  /**
   * @param delta at which ε is shown beside each μ, where no card of a data set says one
   */
  AccountPages(StudyStore store, Delta delta) {
    this.store = store;
    this.delta = delta;
  }

  /** Returns the account that each study has drawn on, if on one. */
  static Map<String, String> ofStudies(StudyStore store) {
    Map<String, String> accounts = new HashMap<>();
    for (AccountRecord account : store.accounts()) {
      for (AccountEntry entry : store.accountEntries(account.name())) {
        accounts.put(entry.study(), account.name());
      }
    }
    return accounts;
  }

  void list(Context ctx) {
    ObjectNode json = Json.document();
    ArrayNode array = json.putArray("accounts");
    for (AccountRecord account : store.accounts()) {
      array.add(
          AccountDocument.of(store, account)
              .fill(Json.object(), Optional.of(deltaOf(account.name()))));
    }
    StudyPages.answer(ctx, json);
  }

  private Delta deltaOf(String account) {
    return DataSetDocument.deltaOf(store, account, delta);
  }

  void show(Context ctx) {
    AccountDocument document = find(ctx);
    Delta at = deltaOf(document.account().name());
    ObjectNode json = document.json(Optional.of(at));
    StudyPages.answer(ctx, document.putStudies(json, store, at));
  }

  void history(Context ctx) {
    AccountDocument document = find(ctx);
    history(ctx, document, deltaOf(document.account().name()));
  }

  /** Answers with the last entries of an account, whose sums take long. */
  void history(Context ctx, AccountDocument document, Delta at) {
    int entries = document.entries().size();
    History history =
        histories.compute(
            new HistoryKey(document.account().name(), at),
            (key, known) ->
                known != null && known.entries() == entries
                    ? known
                    : new History(entries, Json.write(document.historyJson(MOST_ENTRIES, at))));
    ctx.contentType("application/json").result(history.json());
  }

  private AccountDocument find(Context ctx) {
    return store
        .account(ctx.pathParam("name"))
        .map(account -> AccountDocument.of(store, account))
        .orElseThrow(() -> new HttpProblem(404, "there is no such account"));
  }

  void create(Context ctx) {
    AccountRecord account = account(RequestBody.json(ctx, "an account", KEYS));
    store.createAccount(account);
    ctx.status(201).header("Location", Routes.API + "/accounts/" + account.name());
    ObjectNode json = Json.document();
    StudyPages.answer(ctx, AccountDocument.of(store, account).fill(json, Optional.of(delta)));
  }

  private static AccountRecord account(ObjectNode json) {
    try {
      return AccountRecord.make(
          RequestBody.text(json, "name", ""),
          budget(json),
          RequestBody.text(json, "adjacency", Adjacency.ADD_REMOVE.key()),
          RequestBody.text(json, "rowsFingerprint", ""));
    } catch (IllegalArgumentException e) {
      throw new HttpProblem(400, String.valueOf(e.getMessage()));
    }
  }

  static LifetimeBudget budget(ObjectNode json) {
    return new LifetimeBudget(
        RequestBody.number(json, "mu"),
        RequestBody.number(json, "epsilon"),
        RequestBody.number(json, "delta"),
        RequestBody.number(json, "sampledDelta"));
  }
}
