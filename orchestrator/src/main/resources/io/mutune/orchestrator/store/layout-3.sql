-- From layout 2: vectors that are released beside models, such as a private mean.
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
