-- From layout 7: data set accounts. Amounts are the shortest decimals of doubles.
CREATE TABLE account (
  name TEXT PRIMARY KEY,
  identity TEXT NOT NULL,
  created TEXT NOT NULL,
  adjacency TEXT NOT NULL,
  mu TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  entries INTEGER NOT NULL DEFAULT 0,
  head TEXT NOT NULL
);

CREATE TRIGGER account_is_never_another
BEFORE UPDATE OF name, identity, created, adjacency, mu, fingerprint ON account
BEGIN SELECT RAISE(ABORT, 'an account is never changed'); END;

CREATE TRIGGER account_only_grows BEFORE UPDATE OF entries, head ON account
WHEN NEW.entries <> OLD.entries + 1
BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER account_is_never_forgotten BEFORE DELETE ON account
BEGIN SELECT RAISE(ABORT, 'an account is never deleted'); END;

CREATE TRIGGER account_is_never_replaced BEFORE INSERT ON account
WHEN EXISTS (SELECT 1 FROM account WHERE name = NEW.name)
BEGIN SELECT RAISE(ABORT, 'an account is made once'); END;

CREATE TABLE account_entry (
  account TEXT NOT NULL REFERENCES account(name),
  entry INTEGER NOT NULL,
  kind TEXT NOT NULL,
  study TEXT NOT NULL REFERENCES study(id),
  mu TEXT NOT NULL,
  at TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (account, entry),
  UNIQUE (study, kind)
);

CREATE TRIGGER account_entry_is_never_changed BEFORE UPDATE ON account_entry
BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END;

CREATE TRIGGER account_entry_is_never_deleted BEFORE DELETE ON account_entry
BEGIN SELECT RAISE(ABORT, 'an entry is never deleted'); END;

CREATE TRIGGER account_entry_is_never_replaced BEFORE INSERT ON account_entry
WHEN EXISTS (
  SELECT 1 FROM account_entry
  WHERE (account = NEW.account AND entry = NEW.entry) OR (study = NEW.study AND kind = NEW.kind)
)
BEGIN SELECT RAISE(ABORT, 'an entry is made once'); END;

-- Files that studies on an account have read their protected rows from.
CREATE TABLE account_file (
  path TEXT NOT NULL,
  account TEXT NOT NULL REFERENCES account(name),
  PRIMARY KEY (path, account)
);
