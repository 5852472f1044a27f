-- From layout 11: registered data sets, and entries that their owners make.
ALTER TABLE account_file ADD COLUMN registered INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER account_entry_is_of_a_study;

CREATE TRIGGER account_entry_is_of_a_study BEFORE INSERT ON account_entry
WHEN NEW.kind IN ('RESERVED', 'SETTLED') AND NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study)
BEGIN SELECT RAISE(ABORT, 'there is no such study'); END;

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
