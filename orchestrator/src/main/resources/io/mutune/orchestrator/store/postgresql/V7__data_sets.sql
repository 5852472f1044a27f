-- Registered data sets, and entries that their owners make.
ALTER TABLE account_file ADD COLUMN registered INTEGER NOT NULL DEFAULT 0;

CREATE TABLE data_set (
  name TEXT NOT NULL,
  version BIGINT NOT NULL,
  account TEXT NOT NULL REFERENCES account(name),
  card TEXT NOT NULL,
  context TEXT NOT NULL,
  seals TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (name, version)
);

CREATE TRIGGER data_set_is_never_changed BEFORE UPDATE OR DELETE ON data_set
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('a registered card is never changed');

CREATE TRIGGER data_sets_are_never_forgotten BEFORE TRUNCATE ON data_set
EXECUTE FUNCTION refuse_to_change('a registered card is never deleted');
