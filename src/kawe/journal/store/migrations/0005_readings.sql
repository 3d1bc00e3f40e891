-- A batch may be read from several workbooks, and a row may stand in more than
-- one: its lines belong to the sheet that they were read from. `nth` counts
-- the readings of the journal, so that the latest is known whatever the clock says.
CREATE TABLE reading (
    id INTEGER PRIMARY KEY,
    batch TEXT NOT NULL REFERENCES batch (name),
    workbook TEXT NOT NULL CHECK (typeof(workbook) = 'text'),
    sheet TEXT NOT NULL CHECK (typeof(sheet) = 'text'),
    headings TEXT NOT NULL CHECK (typeof(headings) = 'text'),
    read_at TEXT NOT NULL CHECK (typeof(read_at) = 'text'),
    nth INTEGER NOT NULL CHECK (typeof(nth) = 'integer'),
    UNIQUE (batch, workbook, sheet)
);

-- Each batch was read from one sheet so far.
INSERT INTO reading (batch, workbook, sheet, headings, read_at, nth)
SELECT name, workbook, sheet, headings, read_at,
    row_number() OVER (ORDER BY read_at, name)
FROM batch;

-- The person's rows as they were last read; all but `entry` is JSON.
CREATE TABLE line_of_reading (
    reading INTEGER NOT NULL REFERENCES reading (id),
    position INTEGER NOT NULL CHECK (typeof(position) = 'integer'),
    place TEXT NOT NULL CHECK (typeof(place) = 'text'),
    raw TEXT NOT NULL CHECK (typeof(raw) = 'text'),
    findings TEXT NOT NULL CHECK (typeof(findings) = 'text'),
    entry TEXT REFERENCES entry (key),
    PRIMARY KEY (reading, position)
) WITHOUT ROWID;

INSERT INTO line_of_reading (reading, position, place, raw, findings, entry)
SELECT reading.id, line.position, line.place, line.raw, line.findings, line.entry
FROM line JOIN reading ON reading.batch = line.batch;

DROP TABLE line;

ALTER TABLE line_of_reading RENAME TO line;

-- Which workbooks name a row.
CREATE INDEX line_of_entry ON line (entry) WHERE entry IS NOT NULL;
