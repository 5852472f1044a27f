package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.yaml.StatedUnitReader;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Reads and writes the table of registered data sets. Each version of a card has an entry in the
 * chain of its account, which has the digest of the card. The caller has locked the account before
 * it writes.
 */
final class DataSetTable {
  private static final String COLUMNS =
      "SELECT d.*, EXISTS (SELECT 1 FROM account_entry e WHERE e.account = d.account"
          + " AND e.kind = 'RETIRED' AND e.study = d.name) AS retired FROM data_set d";

  private static final String NEWEST =
      " version = (SELECT max(version) FROM data_set n WHERE n.name = d.name)";

  /** Of a digest in hexadecimal: 128 bits. */
  private static final int DIGITS = 32;

  private DataSetTable() {}

  static Optional<DataSetRecord> read(Session session, String name) throws SQLException {
    return session.first(COLUMNS + " WHERE name = ? AND" + NEWEST, StoredRows::dataSet, name);
  }

  /** Returns one version of a card, as it was registered. */
  static Optional<CardText> card(Session session, String name, long version) throws SQLException {
    return session.first(
        COLUMNS + " WHERE name = ? AND version = ?",
        row -> StoredRows.dataSet(row).card(),
        name,
        version);
  }

  static List<DataSetRecord> all(Session session) throws SQLException {
    return session.query(COLUMNS + " WHERE" + NEWEST + " ORDER BY name", StoredRows::dataSet);
  }

  /**
   * Adds a version of a card, and the files that it protects to those of its account.
   *
   * @throws AccountRefusedException if it is not the next version, or names a file of another
   *     account, or a protected one as public
   */
  static void add(
      Session session,
      CardText card,
      String seals,
      List<NamedFile> files,
      FileOwners owners,
      Instant now)
      throws SQLException {
    Optional<DataSetRecord> before = read(session, card.name());
    long next = before.map(set -> set.card().version() + 1).orElse(1L);
    if (card.version() != next) {
      throw new AccountRefusedException(
          before.isPresent()
              ? "there is a data set '%s' already; its owner may update it".formatted(card.name())
              : "there is no data set '%s' to update".formatted(card.name()));
    }
    if (before.isPresent() && before.get().retired()) {
      throw new AccountRefusedException("the data set '" + card.name() + "' is retired");
    }
    if (before.isPresent() && !before.get().card().account().equals(card.account())) {
      throw new AccountRefusedException(
          "the data set '%s' keeps its account '%s' for ever"
              .formatted(card.name(), before.get().card().account()));
    }
    AccountUnits.admit(session, card.account(), StatedUnitReader.ofCard(card.name(), card.text()));
    owners.admit(Optional.of(card.account()), true, files);
    String context = StoredJson.write(card.context());
    session.update(
        "INSERT INTO data_set(name, version, account, card, context, seals, at)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        card.name(),
        card.version(),
        card.account(),
        card.text(),
        context,
        seals,
        now.toString());
    AccountLedger.append(
        session,
        card.account(),
        card.version() == 1 ? AccountEntry.Kind.REGISTERED : AccountEntry.Kind.UPDATED,
        about(card.name(), card.version(), card.text(), context, seals),
        ApproximateGaussianDp.NONE,
        now);
    for (FileOwners.Owned file : FileOwners.claimed(card.account(), true, files)) {
      AccountLedger.own(session, file);
    }
  }

  /** Adds to the account's chain that no new study takes the data set. */
  static void retire(Session session, DataSetRecord set, Instant now) throws SQLException {
    if (set.retired()) {
      throw new AccountRefusedException("the data set '" + set.name() + "' is retired already");
    }
    AccountLedger.append(
        session,
        set.card().account(),
        AccountEntry.Kind.RETIRED,
        set.name(),
        ApproximateGaussianDp.NONE,
        now);
  }

  /**
   * Refuses a study of a set that is not registered, is retired, has another card than the study
   * was planned by, or is of another account. The study may have been planned by the card of
   * another store.
   */
  static void require(Session session, CardText card, Optional<String> account)
      throws SQLException {
    DataSetRecord set =
        read(session, card.name())
            .orElseThrow(
                () ->
                    new AccountRefusedException(
                        "there is no data set '" + card.name() + "'; see 'mutune data list'"));
    if (set.retired()) {
      throw new AccountRefusedException(
          "the data set '" + card.name() + "' is retired: its owner takes no new studies of it");
    }
    if (set.card().version() != card.version()) {
      throw new AccountRefusedException(
          "the data set '%s' has a newer card, version %d; read the sweep again"
              .formatted(card.name(), set.card().version()));
    }
    if (!card.isOf(set.card())) {
      throw new AccountRefusedException(
          "the data set '%s' has another card in this store; read the sweep again"
              .formatted(card.name()));
    }
    if (account.isPresent() && !set.card().account().equals(account.get())) {
      throw new AccountRefusedException(
          "the data set '%s' is of the account '%s'".formatted(card.name(), set.card().account()));
    }
  }

  /** What the entry of a version says that it is about. */
  private static String about(
      String name, long version, String text, String context, String seals) {
    return "%s version %d %s"
        .formatted(
            name,
            version,
            DigestUtils.sha256Hex(String.join("\0", text, context, seals)).substring(0, DIGITS));
  }

  /** Names the first card of an account that is not the one of its entry, or not of its time. */
  static Optional<String> problem(Session session, String account) throws SQLException {
    List<String> entries =
        session.query(
            "SELECT study, at FROM account_entry WHERE account = ?"
                + " AND kind IN ('REGISTERED', 'UPDATED') ORDER BY study",
            row -> row.getString(1) + " " + row.getString(2),
            account);
    List<String> cards =
        session
            .query(
                "SELECT name, version, card, context, seals, at FROM data_set WHERE account = ?",
                row ->
                    about(
                            String.valueOf(row.getString(1)),
                            row.getLong(2),
                            String.valueOf(row.getString(3)),
                            String.valueOf(row.getString(4)),
                            String.valueOf(row.getString(5)))
                        + " "
                        + row.getString(6),
                account)
            .stream()
            .sorted()
            .toList();
    for (String entry : entries) {
      if (!cards.contains(entry)) {
        return Optional.of("the card of data set " + named(entry) + " is not what was registered");
      }
    }
    return cards.stream()
        .filter(card -> !entries.contains(card))
        .findFirst()
        .map(card -> "the card of data set " + named(card) + " was never registered");
  }

  /** Without the digest and the time. */
  private static String named(String entry) {
    return entry.replaceFirst(" \\S+ \\S+$", "");
  }
}
