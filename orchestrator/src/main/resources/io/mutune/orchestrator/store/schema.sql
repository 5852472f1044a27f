-- Layout 12 of the embedded store. A statement ends with a line that ends in a semicolon. The audit
-- compares these texts with those of the store: columns that stand on the line of a table's end were
-- added by earlier layouts, and stay where SQLite writes them.
CREATE TABLE study (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  created TEXT NOT NULL,
  definition TEXT NOT NULL,
  context TEXT NOT NULL,
  output TEXT NOT NULL,
  seconds REAL NOT NULL DEFAULT 0,
  test_accuracy REAL
, noise TEXT, reason TEXT, queued INTEGER NOT NULL DEFAULT 0, entries INTEGER NOT NULL DEFAULT 0, head TEXT NOT NULL DEFAULT '', original INTEGER NOT NULL DEFAULT 1);

CREATE TRIGGER study_is_never_forgotten BEFORE DELETE ON study
BEGIN SELECT RAISE(ABORT, 'a study is never deleted'); END;

CREATE TRIGGER study_is_never_another
BEFORE UPDATE OF id, name, created, definition, context, output, noise, original ON study
BEGIN SELECT RAISE(ABORT, 'the definition that charges were planned by is never changed'); END;

CREATE TRIGGER ledger_only_grows BEFORE UPDATE OF entries, head ON study
WHEN NEW.entries <> OLD.entries + 1 AND OLD.head <> ''
BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TABLE charge (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  study TEXT NOT NULL REFERENCES study(id),
  what TEXT NOT NULL,
  mechanism TEXT NOT NULL,
  parameters TEXT NOT NULL,
  reserved TEXT NOT NULL, entry INTEGER, hash TEXT,
  UNIQUE (study, what)
);

CREATE INDEX charge_entry ON charge(study, entry);

CREATE TRIGGER charge_is_never_refunded BEFORE DELETE ON charge
BEGIN SELECT RAISE(ABORT, 'a charge is never refunded'); END;

-- INSERT OR REPLACE deletes the row in its way without running the trigger above.
CREATE TRIGGER charge_is_never_replaced BEFORE INSERT ON charge
WHEN EXISTS (
  SELECT 1 FROM charge
  WHERE sequence = NEW.sequence OR (study = NEW.study AND what = NEW.what)
)
BEGIN SELECT RAISE(ABORT, 'a question is charged once'); END;

CREATE TRIGGER charge_is_never_changed BEFORE UPDATE ON charge
BEGIN SELECT RAISE(ABORT, 'a charge is never changed'); END;

CREATE TABLE trial (
  study TEXT NOT NULL REFERENCES study(id),
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  starts INTEGER NOT NULL DEFAULT 0,
  steps_begun INTEGER NOT NULL DEFAULT 0,
  steps_asked INTEGER NOT NULL DEFAULT 0,
  steps_lost INTEGER NOT NULL DEFAULT 0,
  weights BLOB,
  velocity BLOB,
  score REAL,
  PRIMARY KEY (study, number),
  CHECK (0 <= steps_lost AND steps_lost <= steps_asked AND steps_asked <= steps_begun)
);

CREATE TRIGGER trial_is_never_forgotten BEFORE DELETE ON trial
BEGIN SELECT RAISE(ABORT, 'what a run has asked is never deleted'); END;

CREATE TRIGGER trial_only_goes_on BEFORE UPDATE ON trial
WHEN NEW.study <> OLD.study OR NEW.number <> OLD.number
  OR NEW.starts < OLD.starts OR NEW.starts > OLD.starts + 1
  OR NEW.steps_asked < OLD.steps_asked OR NEW.steps_lost < OLD.steps_lost
BEGIN SELECT RAISE(ABORT, 'a step is never asked again'); END;

CREATE TABLE release (
  study TEXT NOT NULL REFERENCES study(id),
  what TEXT NOT NULL,
  vector BLOB,
  PRIMARY KEY (study, what)
);

CREATE TRIGGER release_is_never_changed BEFORE UPDATE ON release
WHEN OLD.vector IS NOT NULL OR NEW.study <> OLD.study OR NEW.what <> OLD.what
BEGIN SELECT RAISE(ABORT, 'what was released is never another'); END;

CREATE TRIGGER release_is_never_forgotten BEFORE DELETE ON release
BEGIN SELECT RAISE(ABORT, 'what was asked is never deleted'); END;

CREATE TRIGGER release_is_never_replaced BEFORE INSERT ON release
WHEN EXISTS (SELECT 1 FROM release WHERE study = NEW.study AND what = NEW.what)
BEGIN SELECT RAISE(ABORT, 'a vector is asked for once'); END;

-- What became of each study, in the chain of its charges. Without times: the times of secret runs
-- would tell how many there were.
CREATE TABLE event (
  study TEXT NOT NULL REFERENCES study(id),
  entry INTEGER NOT NULL,
  kind TEXT NOT NULL,
  what TEXT NOT NULL,
  content TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (study, entry)
);

CREATE INDEX event_about ON event(study, kind, what, entry);

CREATE INDEX event_account ON event(what) WHERE kind = 'ACCOUNT';

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'what became of a study is never changed'); END;

CREATE TRIGGER event_is_never_forgotten BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'what became of a study is never deleted'); END;

CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event
WHEN EXISTS (SELECT 1 FROM event WHERE study = NEW.study AND entry = NEW.entry)
BEGIN SELECT RAISE(ABORT, 'an entry is made once'); END;

-- Data set accounts. An amount, in the column mu, is the shortest decimal of a double, and where a
-- delta0 belongs to it, a + and that.
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

-- An entry of kind LOST may be of a study that the store has lost; those of an owner say in place of
-- the study what they are about.
CREATE TABLE account_entry (
  account TEXT NOT NULL REFERENCES account(name),
  entry INTEGER NOT NULL,
  kind TEXT NOT NULL,
  study TEXT NOT NULL,
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

CREATE TRIGGER account_entry_is_of_a_study BEFORE INSERT ON account_entry
WHEN NEW.kind IN ('RESERVED', 'SETTLED') AND NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study)
BEGIN SELECT RAISE(ABORT, 'there is no such study'); END;

-- Files from which studies on an account have read their protected rows.
CREATE TABLE account_file (
  path TEXT NOT NULL,
  account TEXT NOT NULL REFERENCES account(name), registered INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (path, account)
);

-- What owners have registered: each version of a card, and the seals of its files at that time.
CREATE TABLE data_set (
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  account TEXT NOT NULL REFERENCES account(name),
  card TEXT NOT NULL,
  context TEXT NOT NULL,
  seals TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (name, version)
);

CREATE TRIGGER data_set_is_never_changed BEFORE UPDATE ON data_set
BEGIN SELECT RAISE(ABORT, 'a registered card is never changed'); END;

CREATE TRIGGER data_set_is_never_forgotten BEFORE DELETE ON data_set
BEGIN SELECT RAISE(ABORT, 'a registered card is never deleted'); END;

CREATE TRIGGER data_set_is_never_replaced BEFORE INSERT ON data_set
WHEN EXISTS (SELECT 1 FROM data_set WHERE name = NEW.name AND version = NEW.version)
BEGIN SELECT RAISE(ABORT, 'a card is registered once'); END;

-- The witnesses that the store has, by their place.
CREATE TABLE witness (
  place TEXT PRIMARY KEY,
  identity TEXT NOT NULL
);

CREATE TRIGGER witness_is_never_changed BEFORE UPDATE ON witness
BEGIN SELECT RAISE(ABORT, 'a witness is never another'); END;

-- What was done about lost entries.
CREATE TABLE adoption (
  number INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  what TEXT NOT NULL
);

CREATE TRIGGER adoption_is_never_changed BEFORE UPDATE ON adoption
BEGIN SELECT RAISE(ABORT, 'an adoption is never changed'); END;

CREATE TRIGGER adoption_is_never_forgotten BEFORE DELETE ON adoption
BEGIN SELECT RAISE(ABORT, 'an adoption is never deleted'); END;
