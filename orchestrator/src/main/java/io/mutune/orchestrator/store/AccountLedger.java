package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes the tables of accounts. The caller has locked the account before it adds an
 * entry.
 */
final class AccountLedger {
  static final String ROWS =
      "SELECT entry, study, hash, account, entry, kind, study, mu, at FROM account_entry"
          + " WHERE account = ?";

  private AccountLedger() {}

  static void create(Session session, AccountRecord account) throws SQLException {
    if (read(session, account.name()).isPresent()) {
      throw new AccountRefusedException(
          "there is an account '"
              + account.name()
              + "' already; it is never changed, but its budget may be raised");
    }
    String[] fields = {
      account.name(),
      account.identity(),
      account.created().toString(),
      account.adjacency().key(),
      mu(account.cap()),
      account.fingerprint().orElse("")
    };
    String head = Chain.start(fields);
    session.update(
        "INSERT INTO account(name, identity, created, adjacency, mu, fingerprint, head)"
            + " VALUES (?, ?, ?, ?, ?, ?, '"
            + head
            + "')",
        (Object[]) fields);
    session.moved(
        new Mark(
            LedgerTable.ACCOUNT,
            account.name(),
            0,
            head,
            Optional.of(mu(ApproximateGaussianDp.NONE))));
  }

  /** Returns a cost as a table keeps it: μ, and where there is a δ₀, a + and that. */
  static String mu(ApproximateGaussianDp cost) {
    String mu = Double.toString(cost.mu().value());
    double delta0 = cost.delta0().value();
    return delta0 == 0 ? mu : mu + "+" + delta0;
  }

  /** Returns the cost that a table keeps. */
  static ApproximateGaussianDp cost(String text) {
    int plus = text.indexOf('+');
    return new ApproximateGaussianDp(
        Mu.of(Double.parseDouble(plus < 0 ? text : text.substring(0, plus))),
        Delta.of(plus < 0 ? 0 : Double.parseDouble(text.substring(plus + 1))));
  }

  static Optional<AccountRecord> read(Session session, String name) throws SQLException {
    return session.first("SELECT * FROM account WHERE name = ?", AccountLedger::account, name);
  }

  static List<AccountRecord> all(Session session) throws SQLException {
    return session.query("SELECT * FROM account ORDER BY name", AccountLedger::account);
  }

  private static AccountRecord account(ResultSet row) throws SQLException {
    return new AccountRecord(
        row.getString("name"),
        row.getString("identity"),
        Instant.parse(row.getString("created")),
        Adjacency.ofKey(row.getString("adjacency")).orElseThrow(IllegalArgumentException::new),
        cost(row.getString("mu")),
        Optional.of(row.getString("fingerprint")).filter(text -> !text.isEmpty()));
  }

  static List<AccountEntry> entries(Session session, String name) throws SQLException {
    return session.query(
        "SELECT * FROM account_entry WHERE account = ? ORDER BY entry", AccountLedger::entry, name);
  }

  private static AccountEntry entry(ResultSet row) throws SQLException {
    return new AccountEntry(
        row.getLong("entry"),
        AccountEntry.Kind.valueOf(row.getString("kind")),
        row.getString("study"),
        cost(row.getString("mu")),
        Instant.parse(row.getString("at")));
  }

  /** What a study that is not settled holds of its account. */
  record Reservation(String account, ApproximateGaussianDp cost) {
    /** Reads one from its account and its cost. */
    static Reservation read(ResultSet row) throws SQLException {
      return new Reservation(row.getString(1), AccountLedger.cost(row.getString(2)));
    }
  }

  static Optional<Reservation> open(Session session, String study) throws SQLException {
    return session.first(
        "SELECT account, mu FROM account_entry e WHERE study = ? AND kind = 'RESERVED' AND NOT"
            + " EXISTS (SELECT 1 FROM account_entry WHERE study = e.study AND kind = 'SETTLED')",
        Reservation::read,
        study);
  }

  static void append(
      Session session,
      String account,
      AccountEntry.Kind kind,
      String study,
      ApproximateGaussianDp cost,
      Instant now)
      throws SQLException {
    LedgerTable.Place place = LedgerTable.ACCOUNT.next(session, account);
    String hash =
        Chain.next(
            place.hash(),
            account,
            Long.toString(place.entry()),
            kind.name(),
            study,
            mu(cost),
            now.toString());
    session.update(
        "INSERT INTO account_entry(account, entry, kind, study, mu, at, hash)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        account,
        place.entry(),
        kind.name(),
        study,
        mu(cost),
        now.toString(),
        hash);
    LedgerTable.ACCOUNT.moveOn(
        session, account, place.entry(), hash, Optional.of(mu(held(session, account))));
  }

  /** Returns the sums of an account after all its entries. */
  static AccountStanding standing(Session session, AccountRecord account) throws SQLException {
    return AccountStanding.of(account, entries(session, account.name()));
  }

  /** Returns what all studies of an account hold together. */
  static ApproximateGaussianDp held(Session session, String account) throws SQLException {
    return standing(session, read(session, account).orElseThrow()).held();
  }

  /** Says what the entries lack, by the studies that draw on the account and its data sets. */
  static Optional<String> problem(Session session, String account) throws SQLException {
    Optional<String> missing = missing(session, account);
    return missing.isPresent() ? missing : DataSetTable.problem(session, account);
  }

  private static Optional<String> missing(Session session, String account) throws SQLException {
    return session.text(
        "SELECT CASE WHEN r.study IS NULL THEN 'the RESERVED' ELSE 'the SETTLED' END"
            + " || ' entry of study ' || e.study || ' is missing'"
            + " FROM event e JOIN study s ON s.id = e.study"
            + " LEFT JOIN account_entry r"
            + " ON r.account = e.what AND r.study = e.study AND r.kind = 'RESERVED'"
            + " LEFT JOIN account_entry t"
            + " ON t.account = e.what AND t.study = e.study AND t.kind = 'SETTLED'"
            + " WHERE e.kind = 'ACCOUNT' AND e.what = ? AND (r.study IS NULL"
            + " OR (t.study IS NULL AND s.state IN ('FINISHED', 'CANCELLED')))"
            + " ORDER BY e.study",
        account);
  }

  static FileOwners owners(Session session) throws SQLException {
    return new FileOwners(
        session.query(
            "SELECT path, account, registered FROM account_file",
            row ->
                new FileOwners.Owned(
                    Path.of(row.getString(1)), row.getString(2), row.getLong(3) == 1)));
  }

  static void own(Session session, FileOwners.Owned file) throws SQLException {
    session.change(
        "INSERT INTO account_file(path, account, registered) VALUES (?, ?, ?)"
            + " ON CONFLICT (path, account)"
            + " DO UPDATE SET registered = 1 WHERE excluded.registered = 1",
        file.path().toString(),
        file.account(),
        file.registered() ? 1 : 0);
  }
}
