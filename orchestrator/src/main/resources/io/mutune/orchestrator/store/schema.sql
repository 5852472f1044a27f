-- Layout 1 of the embedded store. A statement ends with a line that ends in a semicolon.
CREATE TABLE study (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  created TEXT NOT NULL,
  definition TEXT NOT NULL,
  context TEXT NOT NULL,
  output TEXT NOT NULL,
  seconds REAL NOT NULL DEFAULT 0,
  test_accuracy REAL
);

CREATE TRIGGER study_is_never_another BEFORE UPDATE OF id, definition ON study
BEGIN SELECT RAISE(ABORT, 'the definition that charges were planned by is never changed'); END;

CREATE TRIGGER study_is_never_forgotten BEFORE DELETE ON study
BEGIN SELECT RAISE(ABORT, 'a study is never deleted'); END;

CREATE TABLE charge (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  study TEXT NOT NULL REFERENCES study(id),
  what TEXT NOT NULL,
  mechanism TEXT NOT NULL,
  parameters TEXT NOT NULL,
  reserved TEXT NOT NULL,
  UNIQUE (study, what)
);

CREATE TRIGGER charge_is_never_changed BEFORE UPDATE ON charge
BEGIN SELECT RAISE(ABORT, 'a charge is never changed'); END;

CREATE TRIGGER charge_is_never_refunded BEFORE DELETE ON charge
BEGIN SELECT RAISE(ABORT, 'a charge is never refunded'); END;

-- INSERT OR REPLACE deletes what stands in its way without asking the trigger above.
CREATE TRIGGER charge_is_never_replaced BEFORE INSERT ON charge
WHEN EXISTS (
  SELECT 1 FROM charge
  WHERE sequence = NEW.sequence OR (study = NEW.study AND what = NEW.what)
)
BEGIN SELECT RAISE(ABORT, 'a question is charged once'); END;

CREATE TABLE trial (
  study TEXT NOT NULL REFERENCES study(id),
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  starts INTEGER NOT NULL DEFAULT 0,
  steps_begun INTEGER NOT NULL DEFAULT 0,
  steps_asked INTEGER NOT NULL DEFAULT 0,
  steps_lost INTEGER NOT NULL DEFAULT 0,
  weights BLOB,
  velocity BLOB,
  score REAL,
  PRIMARY KEY (study, number),
  CHECK (0 <= steps_lost AND steps_lost <= steps_asked AND steps_asked <= steps_begun)
);

CREATE TRIGGER trial_is_never_forgotten BEFORE DELETE ON trial
BEGIN SELECT RAISE(ABORT, 'what a run has asked is never deleted'); END;
