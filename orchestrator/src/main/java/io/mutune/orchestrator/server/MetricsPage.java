package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.accountant.Delta;
import io.mutune.orchestrator.document.StatusDocument;
import io.mutune.orchestrator.metrics.MutuneMetrics;
import io.mutune.orchestrator.metrics.StoreState;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Answers requests for metrics with the state of the store at that moment.
 *
 * @param accountDelta at which the epsilon of accounts is shown
 */
record MetricsPage(
    StudyStore store, Snapshots snapshots, MutuneMetrics meters, Delta accountDelta) {
  void metrics(Context ctx) {
    meters.show(standing());
    ctx.contentType("text/plain; version=0.0.4; charset=utf-8").result(meters.text());
  }

  private StoreState standing() {
    Map<String, Long> studies = new TreeMap<>();
    for (StudyState state : StudyState.values()) {
      studies.put(state.key(), 0L);
    }
    studies.put(Study.INTERRUPTED, 0L);
    List<StatusDocument> open = new ArrayList<>();
    long waiting = 0;
    for (StudyRecord study : store.studies()) {
      studies.merge(Study.stateOf(store, study), 1L, Long::sum);
      waiting += study.state() == StudyState.PLANNED ? 1 : 0;
      if (study.state().isOpen()) {
        snapshots.ifPlanned(study.id()).ifPresent(snapshot -> open.add(snapshot.status()));
      }
    }
    List<StoreState.Account> accounts =
        store.accounts().stream()
            .map(account -> StoreState.Account.of(store, account, accountDelta))
            .toList();
    return new StoreState(accounts, studies, StoreState.trials(open), waiting);
  }
}
