-- The runs, for people alone: nothing is decided by them. A submit is here from
-- the moment its workbook was read; `ended_at` is missing while it goes on, and
-- where it was stopped hard. `workbook` and `counts` (rows by outcome) are JSON.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    batch TEXT NOT NULL REFERENCES batch (name),
    command TEXT NOT NULL CHECK (typeof(command) = 'text'),
    workbook TEXT NOT NULL CHECK (typeof(workbook) = 'text'),
    began_at TEXT NOT NULL CHECK (typeof(began_at) = 'text'),
    ended_at TEXT CHECK (typeof(ended_at) IN ('text', 'null')),
    who TEXT NOT NULL CHECK (typeof(who) = 'text'),
    counts TEXT NOT NULL CHECK (typeof(counts) = 'text'),
    tokens INTEGER NOT NULL CHECK (typeof(tokens) = 'integer')
);

CREATE INDEX run_of_batch ON run (batch);

-- Of earlier runs only the last of each batch is known, and not its end.
INSERT INTO run (batch, command, workbook, began_at, who, counts, tokens)
SELECT name, 'submit', workbook, read_at, '', '{}', 0
FROM batch ORDER BY read_at, name;
