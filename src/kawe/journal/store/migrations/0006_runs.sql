-- The runs that ended, for people alone: nothing is decided by them. `workbook`
-- and `counts` are JSON; `counts` has the rows of the batch by outcome.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    batch TEXT NOT NULL REFERENCES batch (name),
    command TEXT NOT NULL CHECK (typeof(command) = 'text'),
    who TEXT NOT NULL CHECK (typeof(who) = 'text'),
    workbook TEXT NOT NULL CHECK (typeof(workbook) = 'text'),
    ended_at TEXT NOT NULL CHECK (typeof(ended_at) = 'text'),
    counts TEXT NOT NULL CHECK (typeof(counts) = 'text'),
    tokens INTEGER NOT NULL CHECK (typeof(tokens) = 'integer')
);

CREATE INDEX run_of_batch ON run (batch);
