-- From layout 9: a run only goes on, witnesses outside of the store are known, and an event is
-- found by what it is about.
CREATE TRIGGER trial_only_goes_on BEFORE UPDATE ON trial
WHEN NEW.study <> OLD.study OR NEW.number <> OLD.number
  OR NEW.starts < OLD.starts OR NEW.starts > OLD.starts + 1
  OR NEW.steps_asked < OLD.steps_asked OR NEW.steps_lost < OLD.steps_lost
BEGIN SELECT RAISE(ABORT, 'a step is never asked again'); END;

CREATE INDEX event_about ON event(study, kind, what, entry);

CREATE INDEX event_account ON event(what) WHERE kind = 'ACCOUNT';

CREATE INDEX charge_entry ON charge(study, entry);

CREATE TABLE witness (
  place TEXT PRIMARY KEY,
  identity TEXT NOT NULL
);

CREATE TRIGGER witness_is_never_changed BEFORE UPDATE ON witness
BEGIN SELECT RAISE(ABORT, 'a witness is never another'); END;
