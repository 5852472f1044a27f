-- Which studies were submitted, to be run by whoever works for the store.
ALTER TABLE study ADD COLUMN queued INTEGER NOT NULL DEFAULT 0;
CREATE INDEX study_queue ON study(state) WHERE queued = 1;
