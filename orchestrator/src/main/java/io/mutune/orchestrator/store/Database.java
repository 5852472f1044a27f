package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.util.List;

/** Runs transactions on SQLite or PostgreSQL, and hides the few differences of their SQL. */
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

  /** Runs work that only reads; each query sees what is committed by then. */
  <T> T read(Work<T> work);

  /** Runs work that only reads; all queries see the same moment. */
  <T> T snapshot(Work<T> work);

  /**
   * Locks a study until the transaction ends: other transactions that lock it wait, so that what is
   * read of the study stays true.
   */
  void lock(Session session, String study) throws SQLException;

  /**
   * Locks an account in the same way. A transaction that locks a study too locks the study first.
   */
  void lockAccount(Session session, String account) throws SQLException;

  /**
   * Locks all files of accounts, since a file may have several names. This lock is taken before any
   * other.
   */
  default void lockFiles(Session session) throws SQLException {}

  /** Returns the query for the number of the next charge in the store. */
  String nextCharge();

  /** Returns the terms of SQL's ORDER BY for the order of creation. */
  String byCreation();

  /** Returns what is wrong with the database's tables, indices and triggers, in sentences. */
  List<String> damage();

  /** Returns whether processes on several machines may use the database at once. */
  default boolean isShared() {
    return false;
  }

  /** See {@link StudyStore#hold}. */
  StudyHold hold(String study);

  /** See {@link StudyStore#isHeld}. */
  boolean isHeld(String study);

  /** Returns the text by which the database can be opened again, without a password. */
  String location();

  @Override
  void close();
}
