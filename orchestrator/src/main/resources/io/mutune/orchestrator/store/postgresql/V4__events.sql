-- What became of each study, in the chain of its charges. Without times: those of runs that are
-- secret would tell how many there were.
CREATE TABLE event (
  study TEXT NOT NULL REFERENCES study(id),
  entry BIGINT NOT NULL,
  kind TEXT NOT NULL,
  what TEXT NOT NULL,
  content TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (study, entry)
);

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('what became of a study is never changed');

CREATE TRIGGER event_is_never_forgotten BEFORE DELETE ON event
FOR EACH ROW EXECUTE FUNCTION refuse_to_change('what became of a study is never deleted');

CREATE TRIGGER events_are_never_forgotten BEFORE TRUNCATE ON event
EXECUTE FUNCTION refuse_to_change('what became of a study is never deleted');
