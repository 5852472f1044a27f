-- From layout 3: why a study stands where it stands, and releases that cannot be replaced either.
ALTER TABLE study ADD COLUMN reason TEXT;

CREATE TRIGGER release_is_never_replaced BEFORE INSERT ON release
WHEN EXISTS (SELECT 1 FROM release WHERE study = NEW.study AND what = NEW.what)
BEGIN SELECT RAISE(ABORT, 'a vector is asked for once'); END;
