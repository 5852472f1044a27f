-- The store on PostgreSQL: the tables and rules of the embedded store's layouts.
CREATE FUNCTION refuse_to_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;

CREATE TABLE study (
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  created TEXT NOT NULL,
  definition TEXT NOT NULL,
  context TEXT NOT NULL,
  output TEXT NOT NULL,
  noise TEXT,
  seconds DOUBLE PRECISION NOT NULL DEFAULT 0,
  test_accuracy DOUBLE PRECISION,
  entries BIGINT NOT NULL DEFAULT 0,
  head TEXT NOT NULL DEFAULT '',
  original BIGINT NOT NULL DEFAULT 1
);

CREATE TRIGGER study_is_never_another 
BEFORE UPDATE OF id, name, created, definition, context, output, noise, original ON study
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('the definition that charges were planned by is never changed');

CREATE TRIGGER study_is_never_forgotten BEFORE DELETE ON study
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('a study is never deleted');

CREATE TRIGGER studies_are_never_forgotten BEFORE TRUNCATE ON study
EXECUTE FUNCTION refuse_to_change('a study is never deleted');

CREATE TABLE charge (
  sequence BIGINT PRIMARY KEY,
  study TEXT NOT NULL REFERENCES study(id),
  what TEXT NOT NULL,
  mechanism TEXT NOT NULL,
  parameters TEXT NOT NULL,
  reserved TEXT NOT NULL,
  entry BIGINT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (study, what),
  UNIQUE (study, entry)
);

CREATE SEQUENCE charge_sequence OWNED BY charge.sequence;

CREATE TRIGGER ledger_only_grows BEFORE UPDATE OF entries, head ON study
FOR EACH ROW WHEN (NEW.entries <> OLD.entries + 1 AND OLD.head <> '')
EXECUTE FUNCTION refuse_to_change('a ledger only grows');

CREATE TRIGGER charge_is_never_changed BEFORE UPDATE ON charge
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('a charge is never changed');

CREATE TRIGGER charge_is_never_refunded BEFORE DELETE ON charge
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('a charge is never refunded');

CREATE TRIGGER charges_are_never_refunded BEFORE TRUNCATE ON charge
EXECUTE FUNCTION refuse_to_change('a charge is never refunded');

CREATE TABLE trial (
  study TEXT NOT NULL REFERENCES study(id),
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  starts INTEGER NOT NULL DEFAULT 0,
  steps_begun INTEGER NOT NULL DEFAULT 0,
  steps_asked INTEGER NOT NULL DEFAULT 0,
  steps_lost INTEGER NOT NULL DEFAULT 0,
  weights BYTEA,
  velocity BYTEA,
  score DOUBLE PRECISION,
  PRIMARY KEY (study, number),
  CHECK (0 <= steps_lost AND steps_lost <= steps_asked AND steps_asked <= steps_begun)
);

CREATE TRIGGER trial_is_never_forgotten BEFORE DELETE ON trial
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('what a run has asked is never deleted');

CREATE TRIGGER trials_are_never_forgotten BEFORE TRUNCATE ON trial
EXECUTE FUNCTION refuse_to_change('what a run has asked is never deleted');

CREATE TABLE release (
  study TEXT NOT NULL REFERENCES study(id),
  what TEXT NOT NULL,
  vector BYTEA,
  PRIMARY KEY (study, what)
);

CREATE TRIGGER release_is_never_changed BEFORE UPDATE ON release
FOR EACH ROW WHEN (OLD.vector IS NOT NULL OR NEW.study <> OLD.study OR NEW.what <> OLD.what)
EXECUTE FUNCTION refuse_to_change('what was released is never another');

CREATE TRIGGER release_is_never_forgotten BEFORE DELETE ON release
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('what was asked is never deleted');

CREATE TRIGGER releases_are_never_forgotten BEFORE TRUNCATE ON release
EXECUTE FUNCTION refuse_to_change('what was asked is never deleted');
