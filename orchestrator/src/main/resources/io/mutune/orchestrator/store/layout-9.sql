-- From layout 8: what became of each study, in the chain of its charges. Without times: those of
-- runs that are secret would tell how many there were.
CREATE TABLE event (
  study TEXT NOT NULL REFERENCES study(id),
  entry INTEGER NOT NULL,
  kind TEXT NOT NULL,
  what TEXT NOT NULL,
  content TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (study, entry)
);

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'what became of a study is never changed'); END;

CREATE TRIGGER event_is_never_forgotten BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'what became of a study is never deleted'); END;

CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event
WHEN EXISTS (SELECT 1 FROM event WHERE study = NEW.study AND entry = NEW.entry)
BEGIN SELECT RAISE(ABORT, 'an entry is made once'); END;
