package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Surrounds every transaction that writes with the store's witness, a file outside of it. Before
 * the first write all that the witness saw must be in the store; after each commit the witness
 * keeps the new ends of ledgers, on its disk, before anybody may act on them. A crash between the
 * two leaves the witness behind, and the next write makes up for it. A store behind its witness has
 * lost writes, and is not written again.
 */
final class WitnessGuard {
  private static final String AGAIN =
      "; put the newest copies of both back%s: nothing is written to this one, unless 'mutune store"
          + " adopt' charges what was lost (docs/operations.md, Backup and restore)";

  private static final String OTHER =
      " (that is this database's by another way to write its address; for 'mutune store adopt',"
          + " MUTUNE_WITNESS=%s)";

  private final Database database;
  private final Witness witness;
  private final String place;
  private volatile boolean compared;

  /**
   * @param place by which the database tells its witnesses apart
   */
  WitnessGuard(Database database, Witness witness, String place) {
    this.database = database;
    this.witness = witness;
    this.place = place;
  }

  <T> T write(Database.Work<T> work) {
    List<Mark> before = new ArrayList<>();
    List<Mark> marks = new ArrayList<>();
    T result =
        database.write(
            session -> {
              before.clear();
              marks.clear();
              if (compared) {
                requireThere();
              } else {
                introduce(session);
                behindAny(session).ifPresent(this::refuse);
                before.addAll(ahead(session, witness.marks()));
              }
              T done = work.run(session);
              marks.addAll(grown(session));
              return done;
            });
    try {
      // Apart: an entry that a crash kept from the witness may have been written to a copy.
      witness.keep(before);
      witness.keep(marks);
      compared = true;
    } catch (StoreException e) {
      compared = false; // It catches up with the next write.
      throw StoreException.unwitnessed(e);
    }
    return result;
  }

  /**
   * Returns the entries of a transaction with what their ledgers cost, where the witness has not
   * seen all entries before them: another process, or another witness, may have added a charge.
   */
  private List<Mark> grown(Session session) throws SQLException {
    Map<String, Mark> first = new HashMap<>();
    List<Mark> grown = new ArrayList<>();
    for (Mark mark : session.marks()) {
      long before = first.computeIfAbsent(mark.name(), name -> mark).entries() - 1;
      boolean follows = witness.mark(mark.name()).filter(m -> m.entries() == before).isPresent();
      grown.add(follows || mark.mu().isPresent() ? mark : end(session, mark));
    }
    return grown;
  }

  private static Mark end(Session session, Mark of) throws SQLException {
    String mu =
        of.table() == LedgerTable.STUDY
            ? ChargeLedger.cost(session, of.of())
            : AccountLedger.mu(AccountLedger.held(session, of.of()));
    return new Mark(of.table(), of.of(), of.entries(), of.head(), Optional.of(mu));
  }

  /** Checks before the first write that store and witness belong together. */
  private void introduce(Session session) throws SQLException {
    Optional<String> known = known(session);
    if (known.isPresent()) {
      requireThere();
    } else if (!witness.exists()) {
      witness.make();
    }
    if (known.isPresent() || !witness.marks().isEmpty()) {
      stranger(known, session).ifPresent(this::refuse);
    }
    if (known.isEmpty()) {
      session.change(
          "INSERT INTO witness(place, identity) VALUES (?, ?) ON CONFLICT DO NOTHING",
          place,
          witness.identity());
    }
  }

  private Optional<String> known(Session session) throws SQLException {
    return session.text("SELECT identity FROM witness WHERE place = ?", place);
  }

  private static boolean isKnown(Session session, String identity) throws SQLException {
    return session.has("SELECT 1 FROM witness WHERE identity = ?", identity);
  }

  /** A witness that the store knows by another place is its own: machines change their names. */
  private Optional<String> stranger(Optional<String> known, Session session) throws SQLException {
    String identity = witness.identity();
    boolean isOwn = known.isPresent() ? known.get().equals(identity) : isKnown(session, identity);
    return isOwn
        ? Optional.empty()
        : Optional.of(
            session.where()
                + ": the store has no entry of its witness "
                + witness.path()
                + ": it was put back to before that was made, or the witness is another store's");
  }

  private void requireThere() {
    if (!witness.exists()) {
      refuse(missing());
    }
  }

  private String missing() {
    return witness.path()
        + ": the store's witness is missing, which tells whether entries were lost";
  }

  private void refuse(String problem) {
    String log = database.isShared() ? "" : ", with the -wal file beside the store";
    throw StoreException.damaged(problem + AGAIN.formatted(log));
  }

  /** Says of the first ledger that lost what the witness saw how it is behind, if one is. */
  private Optional<String> behind(Session session) throws SQLException {
    for (Mark mark : due(session)) {
      Optional<String> problem = behind(session, mark);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  /** The same, and then of every other witness of the store that stands beside this one. */
  private Optional<String> behindAny(Session session) throws SQLException {
    Optional<String> problem = behind(session);
    return problem.isPresent() ? problem : behindOthers(session);
  }

  /** A database has another witness by another way to write its address. */
  private Optional<String> behindOthers(Session session) throws SQLException {
    if (!database.isShared()) {
      return Optional.empty();
    }
    for (Map.Entry<String, Witness> other : witness.others().entrySet()) {
      if (isKnown(session, other.getKey())) {
        Optional<String> problem =
            new WitnessGuard(database, other.getValue(), place).behind(session);
        if (problem.isPresent()) {
          return problem.map(said -> said + OTHER.formatted(other.getValue().path()));
        }
      }
    }
    return Optional.empty();
  }

  /** What the witness saw of ledgers, also of those that were lost and are put back. */
  private List<Mark> due(Session session) throws SQLException {
    List<Mark> due = new ArrayList<>(witness.marks().values());
    for (Mark lost : witness.lost().values()) {
      if (isBack(session, lost)) {
        due.add(lost);
      }
    }
    return due;
  }

  /** An account of the same name may have been made anew, which has no entry that was seen. */
  private boolean isBack(Session session, Mark lost) throws SQLException {
    Optional<LedgerTable.Place> end = lost.table().end(session, lost.of());
    if (end.isEmpty() || lost.table() == LedgerTable.STUDY) {
      return end.isPresent();
    }
    Set<String> seen = witness.seen();
    for (long entry = 0; entry <= end.get().entry(); entry++) {
      Optional<String> hash = lost.table().hash(session, lost.of(), entry);
      if (hash.isPresent() && seen.contains(StoreRecovery.end(lost.name(), entry, hash.get()))) {
        return true;
      }
    }
    return false;
  }

  /** Says how a ledger lacks the entry that the witness saw, if it does. */
  private Optional<String> behind(Session session, Mark mark) throws SQLException {
    Optional<LedgerTable.Place> end = mark.table().end(session, mark.of());
    if (end.isEmpty() || end.get().entry() < mark.entries()) {
      return Optional.of(
          "%s: the store is behind its witness %s: %s %s, and had %d entries: its last writes were"
                  .formatted(
                      session.where(),
                      witness.path(),
                      mark.name(),
                      end.map(last -> "has " + last.entry() + " entries").orElse("is missing"),
                      mark.entries())
              + " lost, or it was put back");
    }
    Optional<String> hash = mark.table().hash(session, mark.of(), mark.entries());
    return hash.equals(Optional.of(mark.head()))
        ? Optional.empty()
        : Optional.of(
            "%s: entry %d of %s is not the one that the store's witness %s saw: it was put back"
                .formatted(session.where(), mark.entries(), mark.name(), witness.path()));
  }

  /**
   * Returns the ends of ledgers that the witness has not seen, as after a crash; all of them for a
   * new witness.
   */
  private static Collection<Mark> ahead(Session session, Map<String, Mark> seen)
      throws SQLException {
    List<Mark> ahead = new ArrayList<>();
    for (LedgerTable table : LedgerTable.values()) {
      for (Mark end : table.ends(session)) {
        Mark known = seen.get(end.name());
        if (known == null || known.entries() < end.entries()) {
          ahead.add(end(session, end));
        }
      }
    }
    return ahead;
  }

  /** Says in one sentence how the store is behind its witness now, if it is. */
  Optional<String> setBack() {
    // The witness first: what it has seen was committed by then.
    return database.read(
        session -> {
          Optional<String> known = known(session);
          if (!witness.exists() && known.isPresent()) {
            return Optional.of(missing());
          }
          try {
            if (known.isEmpty() && !witness.hasSeen()) {
              return behindOthers(session);
            }
            Optional<String> stranger = stranger(known, session);
            return stranger.isPresent() ? stranger : behindAny(session);
          } catch (StoreException e) {
            return Optional.of(String.valueOf(e.getMessage()));
          }
        });
  }

  /** See {@link StudyStore#adopt}. */
  List<String> adopt(boolean withoutWitness, Instant now) {
    Map<String, Mark> behind = new TreeMap<>();
    List<Mark> stands = new ArrayList<>();
    List<String> identity = new ArrayList<>();
    List<String> done =
        database.write(
            session -> {
              behind.clear();
              stands.clear();
              Optional<String> known = known(session);
              if (!witness.exists()) {
                if (known.isPresent() && !withoutWitness) {
                  throw StoreException.damaged(
                      missing() + "; put it back, or adopt the store with --without-witness");
                }
                known.ifPresent(identity::add);
                return known.isEmpty()
                    ? List.<String>of()
                    : new StoreRecovery(database, session, Set.of(), now).withoutWitness();
              }
              if (known.isPresent() && !known.get().equals(witness.identity())) {
                throw StoreException.damaged(
                    witness.path() + ": is another store's witness; put the right one there");
              }
              for (Mark mark : due(session)) {
                if (behind(session, mark).isPresent()) {
                  behind.put(mark.name(), mark);
                }
              }
              boolean introduced = known.isEmpty() && !witness.marks().isEmpty();
              if (introduced) {
                session.change(
                    "INSERT INTO witness(place, identity) VALUES (?, ?)",
                    place,
                    witness.identity());
              } else if (behind.isEmpty()) {
                return List.<String>of();
              }
              List<String> said =
                  new StoreRecovery(database, session, witness.seen(), now)
                      .of(behind.values(), introduced);
              Map<String, Mark> kept = new TreeMap<>(witness.marks());
              kept.keySet().removeAll(behind.keySet());
              stands.addAll(ahead(session, kept));
              return said;
            });
    // After the commit: a crash after making the witness and before the commit would leave a new
    // witness that hides what was lost.
    identity.forEach(witness::make);
    if (witness.exists()) {
      witness.adopt(behind.values(), stands);
    }
    return done;
  }

  /** Requires that a locked ledger has what the witness saw of it. */
  void requireSeen(Session session, LedgerTable table, String id) throws SQLException {
    String name = table.word() + " " + id;
    Optional<Mark> mark = witness.mark(name);
    Mark lost = mark.isPresent() ? null : witness.lost().get(name);
    if (lost != null && isBack(session, lost)) {
      mark = Optional.of(lost);
    }
    if (mark.isPresent()) {
      behind(session, mark.get()).ifPresent(this::refuse);
    }
  }
}
