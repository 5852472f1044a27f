-- From layout 10: an entry may hold what a store that was put back has lost, of studies that it
-- does not know, and what was done about it is kept.
CREATE TABLE account_entry_before AS SELECT * FROM account_entry;

DROP TABLE account_entry;

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

INSERT INTO account_entry SELECT * FROM account_entry_before;

DROP TABLE account_entry_before;

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
WHEN NEW.kind <> 'LOST' AND NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study)
BEGIN SELECT RAISE(ABORT, 'there is no such study'); END;

CREATE TABLE adoption (
  number INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  what TEXT NOT NULL
);

CREATE TRIGGER adoption_is_never_changed BEFORE UPDATE ON adoption
BEGIN SELECT RAISE(ABORT, 'an adoption is never changed'); END;

CREATE TRIGGER adoption_is_never_forgotten BEFORE DELETE ON adoption
BEGIN SELECT RAISE(ABORT, 'an adoption is never deleted'); END;
