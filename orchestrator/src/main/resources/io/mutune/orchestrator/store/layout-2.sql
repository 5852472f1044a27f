-- From layout 1: the noise of a plan that is fixed to the last digit, as the study was begun.
ALTER TABLE study ADD COLUMN noise TEXT;

DROP TRIGGER study_is_never_another;

CREATE TRIGGER study_is_never_another BEFORE UPDATE OF id, definition, noise ON study
BEGIN SELECT RAISE(ABORT, 'the definition that charges were planned by is never changed'); END;
