-- From layout 4: which studies were submitted, to be run by whoever works for the store.
ALTER TABLE study ADD COLUMN queued INTEGER NOT NULL DEFAULT 0;
