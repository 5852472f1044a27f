-- From layout 5: charges that are chained by hashes. Those that are there are chained next.
ALTER TABLE study ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;

ALTER TABLE study ADD COLUMN head TEXT NOT NULL DEFAULT '';

ALTER TABLE study ADD COLUMN original INTEGER NOT NULL DEFAULT 1;

ALTER TABLE charge ADD COLUMN entry INTEGER;

ALTER TABLE charge ADD COLUMN hash TEXT;

DROP TRIGGER charge_is_never_changed;
