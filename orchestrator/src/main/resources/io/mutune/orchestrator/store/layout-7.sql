-- From layout 6, once charges are chained.
CREATE TRIGGER charge_is_never_changed BEFORE UPDATE ON charge
BEGIN SELECT RAISE(ABORT, 'a charge is never changed'); END;

DROP TRIGGER study_is_never_another;

CREATE TRIGGER study_is_never_another
BEFORE UPDATE OF id, name, created, definition, context, output, noise, original ON study
BEGIN SELECT RAISE(ABORT, 'the definition that charges were planned by is never changed'); END;

CREATE TRIGGER ledger_only_grows BEFORE UPDATE OF entries, head ON study
WHEN NEW.entries <> OLD.entries + 1 AND OLD.head <> ''
BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;
