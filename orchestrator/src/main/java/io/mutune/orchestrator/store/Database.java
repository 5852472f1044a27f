package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A database that keeps what it was told, and the little in which one differs from another. */
interface Database extends AutoCloseable {
  /** Work within a transaction. */
  @FunctionalInterface
  interface Work<T> {
    T run(Session session) throws SQLException;
  }

  /**
   * Runs work in one transaction that is on the disk when this returns.
   *
   * @throws StoreException if it fails; nothing was written then, unless the connection was lost
   *     while it was committed, which the message says
   */
  <T> T write(Work<T> work);

  /** Runs work that only reads, each of its queries on what is committed. */
  <T> T read(Work<T> work);

  /** Runs work that only reads, all of its queries on what is committed at one moment. */
  <T> T snapshot(Work<T> work);

  /**
   * Makes other transactions that lock this study wait for this one's end, so that what is read of
   * the study after this stays true until then.
   */
  void lock(Session session, String study) throws SQLException;

  /** The same for an account. Whoever locks a study too has locked that first. */
  void lockAccount(Session session, String account) throws SQLException;

  /**
   * The same for all files of accounts, which may have several names. Whoever locks them does so
   * before all else.
   */
  default void lockFiles(Session session) throws SQLException {}

  /** The query for the next charge's place among all charges of the store. */
  String nextCharge();

  /** In which order studies were created, as terms of SQL's ORDER BY. */
  String byCreation();

  /** What the database itself finds wrong with its tables; empty where it cannot look. */
  List<String> damage();

  /** Whether processes on several machines may use it at once. */
  default boolean isShared() {
    return false;
  }

  /** See {@link StudyStore#hold}. */
  default StudyHold hold(String study) {
    return StudyHold.NONE;
  }

  /** Whether it is known to have lost writes, in one sentence. */
  default Optional<String> setBack() {
    return Optional.empty();
  }

  /** See {@link StudyStore#adopt}. */
  default List<String> adopt(boolean withoutWitness, Instant now) {
    throw new StoreException(location() + ": the store has no witness here; nothing to adopt");
  }

  /** By which it can be opened again; without a password. */
  String location();

  @Override
  void close();
}
