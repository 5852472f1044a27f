package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The accounts' tables. Whoever adds an entry has locked the account. */
final class AccountLedger {
  private static final String START = "name, identity, created, adjacency, mu, fingerprint";
  private static final String ROWS =
      "SELECT entry, study, hash, account, entry, kind, study, mu, at FROM account_entry"
          + " WHERE account = ?";

  private AccountLedger() {}

  /** Where a ledger ends. */
  private record Head(long entries, String hash) {}

  static void create(Session session, AccountRecord account) throws SQLException {
    if (read(session, account.name()).isPresent()) {
      throw new AccountRefusedException(
          "there is an account '" + account.name() + "' already; accounts are never changed");
    }
    String fingerprint = account.fingerprint().orElse("");
    String mu = Double.toString(account.cap().mu().value());
    String start =
        Chain.start(
            account.name(),
            account.identity(),
            account.created().toString(),
            account.adjacency().key(),
            mu,
            fingerprint);
    session.update(
        "INSERT INTO account(name, identity, created, adjacency, mu, fingerprint, head)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        account.name(),
        account.identity(),
        account.created().toString(),
        account.adjacency().key(),
        mu,
        fingerprint,
        start);
    session.moved(Mark.ofAccount(account.name(), 0, start, GaussianDp.NONE));
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
        GaussianDp.of(Mu.of(Double.parseDouble(row.getString("mu")))),
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
        GaussianDp.of(Mu.of(Double.parseDouble(row.getString("mu")))),
        Instant.parse(row.getString("at")));
  }

  /** What a study holds, if it draws on an account and is not settled. */
  record Reservation(String account, GaussianDp cost) {}

  static Optional<Reservation> open(Session session, String study) throws SQLException {
    return session.first(
        "SELECT account, mu FROM account_entry e WHERE study = ? AND kind = 'RESERVED' AND NOT"
            + " EXISTS (SELECT 1 FROM account_entry WHERE study = e.study AND kind = 'SETTLED')",
        row ->
            new Reservation(
                row.getString(1), GaussianDp.of(Mu.of(Double.parseDouble(row.getString(2))))),
        study);
  }

  static void append(
      Session session,
      String account,
      AccountEntry.Kind kind,
      String study,
      GaussianDp cost,
      Instant now)
      throws SQLException {
    Head head =
        session
            .first(
                "SELECT entries, head FROM account WHERE name = ?",
                row -> new Head(row.getLong(1), row.getString(2)),
                account)
            .orElseThrow();
    long entry = head.entries + 1;
    String mu = Double.toString(cost.mu().value());
    String hash =
        Chain.next(
            head.hash, account, Long.toString(entry), kind.name(), study, mu, now.toString());
    session.update(
        "INSERT INTO account_entry(account, entry, kind, study, mu, at, hash)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        account,
        entry,
        kind.name(),
        study,
        mu,
        now.toString(),
        hash);
    session.update("UPDATE account SET entries = ?, head = ? WHERE name = ?", entry, hash, account);
    session.moved(Mark.ofAccount(account, entry, hash, held(session, account)));
  }

  /** Where a ledger ends, for its witness. */
  static Mark mark(Session session, String account) throws SQLException {
    Head head =
        session
            .first(
                "SELECT entries, head FROM account WHERE name = ?",
                row -> new Head(row.getLong(1), row.getString(2)),
                account)
            .orElseThrow();
    return Mark.ofAccount(account, head.entries, head.hash, held(session, account));
  }

  /** All that an account's studies hold. */
  static GaussianDp held(Session session, String account) throws SQLException {
    AccountRecord record = read(session, account).orElseThrow();
    return AccountStanding.of(record.cap(), entries(session, account)).held();
  }

  /** The hash of an entry, if there is one; entry 0 is what the first is chained to. */
  static Optional<String> hash(Session session, String account, long entry) throws SQLException {
    return entry == 0
        ? session.first(
            "SELECT " + START + " FROM account WHERE name = ?",
            row -> {
              @Nullable String[] fields = new @Nullable String[6];
              for (int i = 0; i < fields.length; i++) {
                fields[i] = row.getString(i + 1);
              }
              return Chain.start(fields);
            },
            account)
        : session.first(
            "SELECT hash FROM account_entry WHERE account = ? AND entry = ?",
            row -> row.getString(1),
            account,
            entry);
  }

  /**
   * That an account's ledger is what was written and has all studies that draw on it, before
   * anything is decided by it. The account is locked.
   */
  static void requireSound(Session session, String account) throws SQLException {
    Optional<String> problem = check(session, account).problem();
    if (problem.isPresent()) {
      throw StoreException.damaged(
          "account " + account + ": its ledger is not what was written: " + problem.get());
    }
  }

  private static Optional<String> missing(Session session, String account) throws SQLException {
    return session.first(
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
        row -> row.getString(1),
        account);
  }

  static LedgerFinding check(Session session, String name) throws SQLException {
    List<ChainedRow> rows = session.query(ROWS, ChainedRow::read, name);
    return session
        .first(
            "SELECT entries, head, " + START + " FROM account WHERE name = ?",
            row -> {
              String entries = String.valueOf(row.getString(1));
              String head = String.valueOf(row.getString(2));
              @Nullable String[] fields = new @Nullable String[6];
              for (int i = 0; i < fields.length; i++) {
                fields[i] = row.getString(i + 3);
              }
              Optional<String> problem =
                  ChainedRow.problem(rows, Chain.start(fields), entries, head);
              if (problem.isEmpty()) {
                problem = missing(session, name);
              }
              return new LedgerFinding(entries, head, "1", Optional.of(1L), problem);
            },
            name)
        .orElseThrow(() -> StoreException.damaged("no account " + name));
  }

  static FileOwners owners(Session session) throws SQLException {
    return new FileOwners(
        session.query(
            "SELECT path, account FROM account_file",
            row -> new FileOwners.Owned(Path.of(row.getString(1)), row.getString(2))));
  }

  static void own(Session session, FileOwners.Owned file) throws SQLException {
    session.change(
        "INSERT INTO account_file(path, account) VALUES (?, ?) ON CONFLICT DO NOTHING",
        file.path().toString(),
        file.account());
  }
}
