package io.mutune.orchestrator.report;

import io.mutune.accountant.Adjacency;
import io.mutune.orchestrator.document.ProfileDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.TradeOffCurve;
import java.util.Optional;

/** What a study's guarantee leaves to any test for one row, with the curve of guessing. */
final class TradeOffChart {
  private TradeOffChart() {}

  /** Empty for older statements, which have no profile. */
  static Optional<Chart> of(StatementDocument statement) {
    Adjacency adjacency = Adjacency.ofKey(statement.adjacency()).orElse(Adjacency.ADD_REMOVE);
    String title = TradeOffCurve.title(adjacency, statement.protectedOne());
    return statement.profile().map(profile -> of(profile, title));
  }

  private static Chart of(ProfileDocument profile, String title) {
    return new Chart(
        "trade-off",
        title,
        "Whoever sees everything that was released and raises a false alarm in 5%% of cases misses one that took part in at least %s of them."
            .formatted(profile.missedAt(0.05).orElse("0%")),
        TradeOffCurve.plot("this study", profile.tradeOff().points()),
        profile.errorTable());
  }
}
