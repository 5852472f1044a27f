package io.mutune.orchestrator.store;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Makes a store that has lost entries writable again, in one transaction: it holds for good what
 * the witness saw charged, and cancels the studies that lost entries. It never lowers what is held.
 */
final class StoreRecovery {
  /** Of an account's entries the witness keeps the cost alone, not what they were about. */
  private static final String AGAIN =
      "what they were about is not known, so register, update and retire its data sets again as"
          + " they were, raise it again, and name the files of the studies that drew on it in a"
          + " study of the account before anybody else reads them";

  private final Database database;
  private final Session session;
  private final Set<String> seen;
  private final Instant now;
  private final List<String> done = new ArrayList<>();

  /** How many entries this has added to each account. */
  private final Map<String, Long> own = new HashMap<>();

  /** Accounts of studies that were gone on with elsewhere. */
  private final Set<String> forked = new HashSet<>();

  /** What account entries are about that an adoption of the same marks adds, now or before. */
  private final Set<String> about = new HashSet<>();

  /**
   * @param seen every end of a ledger, by {@link #end}, that the witness ever saw; a ledger with
   *     another end was continued elsewhere
   */
  StoreRecovery(Database database, Session session, Set<String> seen, Instant now) {
    this.database = database;
    this.session = session;
    this.seen = seen;
    this.now = now;
  }

  /** Returns a text that identifies the end of a ledger. */
  static String end(String name, long entries, String head) {
    return name + " " + entries + " " + head;
  }

  static List<String> all(Session session) throws SQLException {
    return session.texts("SELECT at || ': ' || what AS done FROM adoption ORDER BY number");
  }

  /**
   * Holds the cost of these marks, which the store does not have.
   *
   * @param introduced whether the store did not know its witness
   */
  List<String> of(Collection<Mark> behind, boolean introduced) throws SQLException {
    if (introduced) {
      say("the store had no entry of its witness: it was put back to before that was made");
    }
    behind.forEach(mark -> about.add(lostId(mark)));
    List<Mark> accounts = new ArrayList<>();
    // Studies are locked before accounts; their settlements are then counted in the accounts.
    for (Mark mark : behind) {
      if (mark.table() == LedgerTable.STUDY) {
        study(mark);
      } else {
        accounts.add(mark);
      }
    }
    for (Mark mark : accounts) {
      account(mark);
    }
    return told();
  }

  /**
   * Handles a missing witness, when the lost entries are unknown: each study that has not ended
   * counts with its whole reservation.
   */
  List<String> withoutWitness() throws SQLException {
    say("the witness was missing, and is made anew: what this store has lost is not known");
    for (String study :
        session.texts(
            "SELECT id FROM study WHERE state NOT IN ('FINISHED', 'CANCELLED', 'REFUSED')")) {
      database.lock(session, study);
      end(study, "its witness was missing: entries of its ledger may be lost");
    }
    return told();
  }

  private List<String> told() throws SQLException {
    long number = session.number("SELECT coalesce(max(number), 0) FROM adoption");
    for (String line : done) {
      number++;
      session.update(
          "INSERT INTO adoption(number, at, what) VALUES (?, ?, ?)", number, now.toString(), line);
    }
    return List.copyOf(done);
  }

  private void say(String line) {
    done.add(line);
  }

  private void study(Mark mark) throws SQLException {
    String study = mark.of();
    String why = "its ledger lost entries: mu %s was charged".formatted(mark.mu().orElse(""));
    Optional<String> state = session.text("SELECT state FROM study WHERE id = ?", study);
    if (state.isEmpty()) {
      say(
          "study %s is lost, with mu %s charged: its account holds that if the witness saw one held"
                  .formatted(study, mark.mu().orElse(Mark.UNKNOWN))
              + " for it; if it had no account, count it by hand");
      return;
    }
    database.lock(session, study);
    if (isEnded(mark, why)) {
      about.add(study);
      say("study %s was cancelled for good already, and keeps all that it held".formatted(study));
      return;
    }
    boolean prefix =
        LedgerTable.STUDY
            .end(session, study)
            .filter(end -> seen.contains(end(mark.name(), end.entry(), end.hash())))
            .isPresent();
    Optional<AccountLedger.Reservation> reserved = reserved(study);
    if (!StudyState.valueOf(state.get()).isFinal()) {
      end(study, why);
    } else {
      say("study " + study + " had ended, and its ledger lost entries");
    }
    if (!prefix && reserved.isPresent()) {
      // The charges in the store and those in the witness both count.
      String account = reserved.get().account();
      forked.add(account);
      lost(mark, account, cost(mark).orElse(reserved.get().cost()));
    }
  }

  /**
   * Cancels a study, which keeps its whole reservation: its charges in the store may be incomplete.
   */
  private void end(String study, String why) throws SQLException {
    LedgerTable.STUDY.requireSound(session, study);
    Optional<AccountLedger.Reservation> held = AccountLedger.open(session, study);
    StudyTable.move(session, study, StudyState.CANCELLED, why);
    if (held.isPresent()) {
      AccountLedger.Reservation all = held.get();
      database.lockAccount(session, all.account());
      append(all.account(), AccountEntry.Kind.SETTLED, study, all.cost());
      LedgerTable.ACCOUNT.requireSound(session, all.account());
    }
    say("study " + study + " is cancelled for good: " + why);
  }

  /**
   * By an adoption of which the witness did not hear, with nothing between that it did not: a study
   * that was gone on with elsewhere may have asked everything twice.
   */
  private boolean isEnded(Mark mark, String why) throws SQLException {
    Optional<Long> last =
        session.first(
            "SELECT entries - 1 FROM study WHERE id = ? AND state = 'CANCELLED' AND reason = ?",
            row -> row.getLong(1),
            mark.of(),
            why);
    return last.isPresent() && wasSeen(mark, last.get()) && holdsAll(mark.of());
  }

  /** As an adoption ends a study: a cancellation in the same words settles what was charged. */
  private boolean holdsAll(String study) throws SQLException {
    return reserved(study).isEmpty()
        || session.has(
            "SELECT 1 FROM account_entry r JOIN account_entry s ON s.study = r.study"
                + " AND s.kind = 'SETTLED' AND s.mu = r.mu"
                + " WHERE r.study = ? AND r.kind = 'RESERVED'",
            study);
  }

  /** Returns what was reserved for a study, if on an account, also where that is settled. */
  private Optional<AccountLedger.Reservation> reserved(String study) throws SQLException {
    return session.first(
        "SELECT account, mu FROM account_entry WHERE study = ? AND kind = 'RESERVED'",
        AccountLedger.Reservation::read,
        study);
  }

  private static Optional<ApproximateGaussianDp> cost(Mark mark) {
    return mark.mu().filter(mu -> !mu.equals(Mark.UNKNOWN)).map(AccountLedger::cost);
  }

  private void account(Mark mark) throws SQLException {
    String account = mark.of();
    ApproximateGaussianDp witnessed = cost(mark).orElse(ApproximateGaussianDp.NONE);
    if (AccountLedger.read(session, account).isEmpty()) {
      say(
          "account %s is lost, of which mu %s was held: make it again and count that by hand; %s"
              .formatted(account, witnessed.mu().value(), AGAIN));
      return;
    }
    database.lockAccount(session, account);
    LedgerTable.ACCOUNT.requireSound(session, account);
    long last = lastBefore(account);
    say(
        "account %s lost its entries %d to %d, or has others in their place: %s"
            .formatted(account, shared(mark, last) + 1, mark.entries(), AGAIN));
    if (isCounted(mark, account)) {
      return;
    }
    // A ledger that was continued elsewhere may hold the cost of other studies, and that of a
    // study that was gone on with elsewhere too stands in what is held twice.
    ApproximateGaussianDp counted =
        wasSeen(mark, last) && !forked.contains(account)
            ? AccountLedger.held(session, account)
            : ApproximateGaussianDp.NONE;
    GaussianDp gap = gap(witnessed.gaussian(), counted.gaussian());
    double failures =
        Math.nextUp(Math.max(0, witnessed.delta0().value() - counted.delta0().value()));
    lost(
        mark,
        account,
        new ApproximateGaussianDp(
            gap.mu(), Delta.of(witnessed.delta0().value() == 0 ? 0 : failures)));
  }

  private void append(
      String account, AccountEntry.Kind kind, String study, ApproximateGaussianDp cost)
      throws SQLException {
    AccountLedger.append(session, account, kind, study, cost, now);
    own.merge(account, 1L, Long::sum);
  }

  /** Returns the last entry of an account that is not of this adoption, nor of one it repeats. */
  private long lastBefore(String account) throws SQLException {
    long last =
        LedgerTable.ACCOUNT.end(session, account).orElseThrow().entry()
            - own.getOrDefault(account, 0L);
    while (isRepeated(account, last)) {
      last--;
    }
    return last;
  }

  private boolean isRepeated(String account, long entry) throws SQLException {
    return session
        .text(
            "SELECT study FROM account_entry WHERE account = ? AND entry = ?"
                + " AND kind IN ('LOST', 'SETTLED')",
            account,
            entry)
        .filter(about::contains)
        .isPresent();
  }

  /** Returns the last entry before that of a mark which the witness saw too, or 0. */
  private long shared(Mark mark, long last) throws SQLException {
    long entry = Math.min(last, mark.entries() - 1);
    while (entry > 0 && !wasSeen(mark, entry)) {
      entry--;
    }
    return Math.max(0, entry);
  }

  private boolean wasSeen(Mark mark, long entry) throws SQLException {
    String hash = mark.table().hash(session, mark.of(), entry).orElse("");
    return seen.contains(end(mark.name(), entry, hash));
  }

  /** Returns a cost that composes with {@code counted} to {@code witnessed} at least. */
  static GaussianDp gap(GaussianDp witnessed, GaussianDp counted) {
    Optional<GaussianDp> rest = witnessed.remaining(counted);
    if (rest.isEmpty()) {
      return GaussianDp.NONE;
    }
    GaussianDp gap = rest.get();
    while (GaussianDp.compose(List.of(counted, gap)).mu().value() < witnessed.mu().value()) {
      gap = GaussianDp.of(Mu.of(Math.nextUp(gap.mu().value())));
    }
    return gap;
  }

  private static String lostId(Mark mark) {
    String seenThere = end(mark.name(), mark.entries(), mark.head());
    return "lost-" + UUID.nameUUIDFromBytes(seenThere.getBytes(StandardCharsets.UTF_8));
  }

  private boolean isCounted(Mark mark, String account) throws SQLException {
    boolean isCounted =
        session.has(
            "SELECT 1 FROM account_entry WHERE account = ? AND study = ?", account, lostId(mark));
    if (isCounted) {
      say("account %s holds what was lost already".formatted(account));
    }
    return isCounted;
  }

  /**
   * Counts what was lost, once for all that a witness saw: an adoption that did not come to its end
   * is repeated.
   */
  private void lost(Mark mark, String account, ApproximateGaussianDp cost) throws SQLException {
    if (cost.equals(ApproximateGaussianDp.NONE)) {
      return;
    }
    database.lockAccount(session, account);
    if (isCounted(mark, account)) {
      return;
    }
    append(account, AccountEntry.Kind.LOST, lostId(mark), cost);
    say("account %s holds mu %s for what was lost".formatted(account, cost.mu().value()));
  }
}
