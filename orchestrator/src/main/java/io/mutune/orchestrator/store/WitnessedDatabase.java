package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A database whose ledgers have a witness outside of it: what is committed is told to the witness,
 * on its disk too, before anybody may act on it, and what the witness knows must be there before
 * anything is written. A crash between the two leaves the witness behind, which the next write
 * makes good; a database behind its witness has lost writes and is written no more.
 */
final class WitnessedDatabase implements Database {
  private static final String AGAIN =
      "; put the newest copies of both back, with the -wal file beside the store: nothing is written"
          + " to this one, unless 'mutune store adopt' charges what was lost (docs/operations.md,"
          + " Backup and restore)";

  private final Database database;
  private final Witness witness;
  private final String place;
  private volatile boolean compared;

  /**
   * @param place by which the database knows whose witness it is
   */
  WitnessedDatabase(Database database, Witness witness, String place) {
    this.database = database;
    this.witness = witness;
    this.place = place;
  }

  @Override
  public <T> T write(Work<T> work) {
    List<Mark> before = new ArrayList<>();
    List<Mark> marks = new ArrayList<>();
    T result =
        database.write(
            session -> {
              before.clear();
              marks.clear();
              boolean first = !compared;
              if (first) {
                introduce(session);
                requireNoneBehind(session);
                before.addAll(ahead(session));
              } else {
                requireThere();
              }
              T done = work.run(session);
              marks.addAll(session.marks());
              return done;
            });
    // Apart: an end that a crash kept from the witness may be that of a copy.
    witness.keep(before);
    witness.keep(marks);
    compared = true;
    return result;
  }

  /** Before the first write: the two must know each other. */
  private void introduce(Session session) throws SQLException {
    Optional<String> known = known(session);
    if (known.isPresent()) {
      requireThere();
    } else if (!witness.exists()) {
      witness.make();
    }
    String identity = witness.identity();
    if (known.isEmpty() && witness.marks().isEmpty()) {
      session.change(
          "INSERT INTO witness(place, identity) VALUES (?, ?) ON CONFLICT DO NOTHING",
          place,
          identity);
      return;
    }
    stranger(known, session).ifPresent(problem -> refuse(problem));
  }

  private Optional<String> known(Session session) throws SQLException {
    return session.first(
        "SELECT identity FROM witness WHERE place = ?", row -> row.getString(1), place);
  }

  private Optional<String> stranger(Optional<String> known, Session session) {
    return known.equals(Optional.of(witness.identity()))
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

  private static void refuse(String problem) {
    throw StoreException.damaged(problem + AGAIN);
  }

  private void requireNoneBehind(Session session) throws SQLException {
    for (Mark mark : witness.marks().values()) {
      require(session, mark);
    }
  }

  /** What the witness saw must be an entry of the ledger still. */
  private void require(Session session, Mark mark) throws SQLException {
    Optional<String> problem = behind(session, mark);
    if (problem.isPresent()) {
      refuse(problem.get());
    }
  }

  private Optional<String> behind(Session session, Mark mark) throws SQLException {
    String name = mark.of();
    boolean study = mark.isStudy();
    String count =
        study
            ? "SELECT entries FROM study WHERE id = ?"
            : "SELECT entries FROM account WHERE name = ?";
    Optional<Long> entries = session.first(count, row -> row.getLong(1), name);
    if (entries.isEmpty() || entries.get() < mark.entries()) {
      return Optional.of(
          "%s: the store is behind its witness %s: %s %s, and had %d entries: its last writes were"
                  .formatted(
                      session.where(),
                      witness.path(),
                      mark.name(),
                      entries.map(n -> "has " + n + " entries").orElse("is missing"),
                      mark.entries())
              + " lost, or it was put back");
    }
    Optional<String> hash =
        study
            ? StudyChain.hash(session, name, mark.entries())
            : AccountLedger.hash(session, name, mark.entries());
    return hash.equals(Optional.of(mark.head()))
        ? Optional.empty()
        : Optional.of(
            "%s: entry %d of %s is not the one that the store's witness %s saw: it was put back"
                .formatted(session.where(), mark.entries(), mark.name(), witness.path()));
  }

  /** Where ledgers are ahead of the witness, as after a crash, or all of them for a new one. */
  private Collection<Mark> ahead(Session session) throws SQLException {
    return ahead(session, witness.marks());
  }

  private static Collection<Mark> ahead(Session session, Map<String, Mark> seen)
      throws SQLException {
    Map<String, Mark> ahead = new TreeMap<>();
    for (Mark mark :
        session.query(
            "SELECT id, entries, head FROM study",
            row ->
                Mark.ofStudy(
                    row.getString(1), row.getLong(2), row.getString(3), Optional.empty()))) {
      if (!seen.containsKey(mark.name()) || seen.get(mark.name()).entries() < mark.entries()) {
        String cost = ChargeLedger.cost(session, mark.of());
        ahead.put(
            mark.name(), new Mark(mark.name(), mark.entries(), mark.head(), Optional.of(cost)));
      }
    }
    for (AccountRecord account : AccountLedger.all(session)) {
      Mark mark = AccountLedger.mark(session, account.name());
      if (!seen.containsKey(mark.name()) || seen.get(mark.name()).entries() < mark.entries()) {
        ahead.put(mark.name(), mark);
      }
    }
    return ahead.values();
  }

  /** Whether it is behind its witness now, in one sentence. */
  @Override
  public Optional<String> setBack() {
    // The witness first: what it has seen was committed by then.
    return database.read(
        session -> {
          Optional<String> known = known(session);
          if (!witness.exists()) {
            return known.isEmpty() ? Optional.<String>empty() : Optional.of(missing());
          }
          try {
            if (known.isEmpty() && witness.marks().isEmpty()) {
              return Optional.empty();
            }
            Optional<String> stranger = stranger(known, session);
            if (stranger.isPresent()) {
              return stranger;
            }
            for (Mark mark : witness.marks().values()) {
              Optional<String> problem = behind(session, mark);
              if (problem.isPresent()) {
                return problem;
              }
            }
            return Optional.<String>empty();
          } catch (StoreException e) {
            return Optional.of(String.valueOf(e.getMessage()));
          }
        });
  }

  @Override
  public List<String> adopt(boolean withoutWitness, Instant now) {
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
                    : new Adoption(database, session, Set.of(), now).withoutWitness();
              }
              if (known.isPresent() && !known.get().equals(witness.identity())) {
                throw StoreException.damaged(
                    witness.path() + ": is another store's witness; put the right one there");
              }
              for (Mark mark : witness.marks().values()) {
                if (behind(session, mark).isPresent()) {
                  behind.put(mark.name(), mark);
                }
              }
              if (known.isEmpty() && !witness.marks().isEmpty()) {
                session.change(
                    "INSERT INTO witness(place, identity) VALUES (?, ?)",
                    place,
                    witness.identity());
              } else if (behind.isEmpty()) {
                return List.<String>of();
              }
              List<String> said =
                  new Adoption(database, session, witness.seen(), now).of(behind.values());
              Map<String, Mark> kept = new TreeMap<>(witness.marks());
              kept.keySet().removeAll(behind.keySet());
              stands.addAll(ahead(session, kept));
              return said;
            });
    // After the commit: a witness that is made before it would know of nothing that was lost.
    identity.forEach(witness::make);
    if (witness.exists()) {
      witness.adopt(behind.values(), stands);
    }
    return done;
  }

  @Override
  public <T> T read(Work<T> work) {
    return database.read(work);
  }

  @Override
  public <T> T snapshot(Work<T> work) {
    return database.snapshot(work);
  }

  @Override
  public void lock(Session session, String study) throws SQLException {
    database.lock(session, study);
    requireSeen(session, "study " + study);
  }

  @Override
  public void lockAccount(Session session, String account) throws SQLException {
    database.lockAccount(session, account);
    requireSeen(session, "account " + account);
  }

  private void requireSeen(Session session, String name) throws SQLException {
    Optional<Mark> mark = witness.mark(name);
    if (mark.isPresent()) {
      require(session, mark.get());
    }
  }

  @Override
  public void lockFiles(Session session) throws SQLException {
    database.lockFiles(session);
  }

  @Override
  public String nextCharge() {
    return database.nextCharge();
  }

  @Override
  public String byCreation() {
    return database.byCreation();
  }

  @Override
  public List<String> damage() {
    List<String> problems = new ArrayList<>(database.damage());
    setBack().ifPresent(problems::add);
    return problems;
  }

  @Override
  public boolean isShared() {
    return database.isShared();
  }

  @Override
  public StudyHold hold(String study) {
    return database.hold(study);
  }

  @Override
  public String location() {
    return database.location();
  }

  @Override
  public void close() {
    database.close();
  }
}
