package io.mutune.orchestrator.store;

import io.mutune.orchestrator.sweep.StatedUnit;
import io.mutune.orchestrator.sweep.yaml.StatedUnitReader;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whom the data sets and studies of an account protect. It follows from their cards and sweeps,
 * which the chains cover, and nothing else says it: so it holds for accounts of earlier versions
 * too. What protects people and what protects single rows does not add up.
 */
final class AccountUnits {
  private static final String FIRST_IN_PLACE =
      "SELECT s.id, s.definition, s.context FROM account_entry e JOIN study s ON s.id = e.study"
          + " WHERE e.account = ? AND e.kind = 'RESERVED' AND s.context NOT LIKE '%\"card\":{%'"
          + " ORDER BY e.entry LIMIT 1";

  private AccountUnits() {}

  /**
   * Of each card, and of the first study that names its files itself: those after it were held to
   * the same, and others follow their cards.
   */
  static List<StatedUnit> of(Session session, String account) throws SQLException {
    List<StatedUnit> known =
        new ArrayList<>(
            session.query(
                "SELECT name, card FROM data_set WHERE account = ? ORDER BY name, version",
                row -> StatedUnitReader.ofCard(row.getString(1), row.getString(2)),
                account));
    session
        .first(
            FIRST_IN_PLACE,
            row ->
                StatedUnitReader.ofSweep(
                    "study " + row.getString(1),
                    row.getString(2),
                    StoredJson.readContext(row.getString(3))),
            account)
        .ifPresent(known::add);
    return known;
  }

  /** Refuses what does not go together with what the account, which is locked, has already. */
  static void admit(Session session, String account, StatedUnit asked) throws SQLException {
    for (StatedUnit other : of(session, account)) {
      Optional<String> clash = asked.clash(other);
      if (clash.isPresent()) {
        throw new AccountRefusedException(
            "the account '%s' adds up what is of one kind: %s %s; a set with one row a person has a unit of rows: 1"
                .formatted(account, asked.what(), clash.get()));
      }
    }
  }
}
