-- An entry may hold what a store that was put back has lost, of studies that it does not know, and
-- what was done about it is kept.
ALTER TABLE account_entry DROP CONSTRAINT account_entry_study_fkey;

CREATE TABLE adoption (
  number BIGINT PRIMARY KEY,
  at TEXT NOT NULL,
  what TEXT NOT NULL
);

CREATE TRIGGER adoption_is_never_changed BEFORE UPDATE OR DELETE ON adoption
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('an adoption is never changed');

CREATE TRIGGER adoptions_are_never_forgotten BEFORE TRUNCATE ON adoption
EXECUTE FUNCTION refuse_to_change('an adoption is never deleted');
