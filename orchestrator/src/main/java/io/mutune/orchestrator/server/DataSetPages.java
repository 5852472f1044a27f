package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.accountant.Delta;
import io.mutune.orchestrator.document.AccountDocument;
import io.mutune.orchestrator.document.DataSetDocument;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers requests about registered data sets, and their owners' requests to retire them and raise
 * their budgets. They are registered at the command line alone, beside their files.
 *
 * @param delta at which ε is shown beside each μ, where the card says none
 */
record DataSetPages(StudyStore store, Delta delta, AccountPages accounts) {
  private static final Set<String> KEYS = Set.of("mu", "epsilon", "delta", "sampledDelta");

  void list(Context ctx) {
    List<DataSetDocument> sets =
        store.dataSets().stream().map(set -> DataSetDocument.of(store, set)).toList();
    StudyPages.answer(ctx, new DataSetDocument.All(sets));
  }

  void show(Context ctx) {
    StudyPages.answer(ctx, DataSetDocument.of(store, find(ctx)));
  }

  void history(Context ctx) {
    DataSetRecord set = find(ctx);
    AccountDocument account =
        AccountDocument.of(store, store.account(set.card().account()).orElseThrow());
    accounts.history(ctx, account, DataSetDocument.of(store, set).deltaOr(delta));
  }

  void retire(Context ctx) {
    DataSetRecord set = owned(ctx);
    store.retire(set.name());
    show(ctx);
  }

  void raise(Context ctx) {
    DataSetRecord set = owned(ctx);
    boolean isItsOwn = set.name().equals(set.card().account());
    if (!isItsOwn && Authentication.callerOf(ctx).role() != Role.ADMIN) {
      throw new HttpProblem(
          403,
          "this data set spends from the account of another one: ask the owner of that one, or an"
              + " administrator, to raise it");
    }
    ObjectNode json = RequestBody.json(ctx, "a budget", KEYS);
    try {
      store.raise(set.card().account(), AccountPages.budget(json).cap());
    } catch (IllegalArgumentException e) {
      throw new HttpProblem(400, String.valueOf(e.getMessage()));
    }
    show(ctx);
  }

  private DataSetRecord find(Context ctx) {
    return store
        .dataSet(ctx.pathParam("name"))
        .orElseThrow(() -> new HttpProblem(404, "there is no such data set"));
  }

  /** The set, if the caller is the owner that its card names, or an administrator. */
  private DataSetRecord owned(Context ctx) {
    DataSetRecord set = find(ctx);
    AccessToken caller = Authentication.callerOf(ctx);
    boolean isOwner =
        DataSetDocument.of(store, set).owner().filter(caller.name()::equals).isPresent();
    if (!isOwner && caller.role() != Role.ADMIN) {
      throw new HttpProblem(403, "the card of this data set names another owner, or none");
    }
    return set;
  }
}
