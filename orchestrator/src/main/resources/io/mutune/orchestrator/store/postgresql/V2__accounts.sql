-- Data set accounts. Amounts are the shortest decimals of doubles.
CREATE TABLE account (
  name TEXT PRIMARY KEY,
  identity TEXT NOT NULL,
  created TEXT NOT NULL,
  adjacency TEXT NOT NULL,
  mu TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  entries BIGINT NOT NULL DEFAULT 0,
  head TEXT NOT NULL
);

CREATE TRIGGER account_is_never_another
BEFORE UPDATE OF name, identity, created, adjacency, mu, fingerprint ON account
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('an account is never changed');

CREATE TRIGGER account_only_grows BEFORE UPDATE OF entries, head ON account
FOR EACH ROW WHEN (NEW.entries <> OLD.entries + 1)
EXECUTE FUNCTION refuse_to_change('a ledger only grows');

CREATE TRIGGER account_is_never_forgotten BEFORE DELETE ON account
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('an account is never deleted');

CREATE TRIGGER accounts_are_never_forgotten BEFORE TRUNCATE ON account
EXECUTE FUNCTION refuse_to_change('an account is never deleted');

CREATE TABLE account_entry (
  account TEXT NOT NULL REFERENCES account(name),
  entry BIGINT NOT NULL,
  kind TEXT NOT NULL,
  study TEXT NOT NULL REFERENCES study(id),
  mu TEXT NOT NULL,
  at TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (account, entry),
  UNIQUE (study, kind)
);

CREATE TRIGGER account_entry_is_never_changed BEFORE UPDATE ON account_entry
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('an entry is never changed');

CREATE TRIGGER account_entry_is_never_deleted BEFORE DELETE ON account_entry
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('an entry is never deleted');

CREATE TRIGGER account_entries_are_never_deleted BEFORE TRUNCATE ON account_entry
EXECUTE FUNCTION refuse_to_change('an entry is never deleted');

-- Files that studies on an account have read their protected rows from.
CREATE TABLE account_file (
  path TEXT NOT NULL,
  account TEXT NOT NULL REFERENCES account(name),
  PRIMARY KEY (path, account)
);
