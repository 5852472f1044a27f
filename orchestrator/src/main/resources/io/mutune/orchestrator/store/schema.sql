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
  PRIMARY KEY (study, number)
);
