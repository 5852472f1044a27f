package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Random;

/** A database whose writes fail now and then: before anything, half way, or after the commit. */
final class FaultyDatabase implements Database {
  private final Database database;
  private final Random random;
  private final double share;
  private final Break ownBreak;
  private int faults;

  /** Breaks a transaction by the database's own means; it throws, or the commit will. */
  interface Break {
    void within(Session session) throws SQLException;
  }

  /** A failure that the database reports. */
  static final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1;

    Fault(String when) {
      super("fault " + when);
    }
  }

  FaultyDatabase(Database database, Random random, double share, Break ownBreak) {
    this.database = database;
    this.random = random;
    this.share = share;
    this.ownBreak = ownBreak;
  }

  int faults() {
    return faults;
  }

  @Override
  public <T> T write(Work<T> work) {
    if (random.nextDouble() >= share) {
      return database.write(work);
    }
    faults++;
    switch (random.nextInt(4)) {
      case 0 -> throw new Fault("before the transaction");
      case 1 -> {
        return database.write(
            session -> {
              work.run(session);
              throw new Fault("before the commit");
            });
      }
      case 2 -> {
        database.write(work);
        throw new Fault("after the commit, whose answer is lost");
      }
      default -> {
        boolean first = random.nextBoolean();
        return database.write(
            session -> {
              if (first) {
                ownBreak.within(session);
              }
              T result = work.run(session);
              ownBreak.within(session);
              return result;
            });
      }
    }
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
  }

  @Override
  public void lockAccount(Session session, String account) throws SQLException {
    database.lockAccount(session, account);
  }

  @Override
  public StudyHold hold(String study) {
    return database.hold(study);
  }

  @Override
  public boolean isHeld(String study) {
    return database.isHeld(study);
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
    return database.damage();
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
