-- The journal as it began. A migration that was released is never edited:
-- journals are compared with what their migrations say.
--
-- Every text column is checked to hold text: a journal may come from anywhere.

-- Whom the journal belongs to: one row, none while it is fresh.
CREATE TABLE binding (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    base_url TEXT NOT NULL CHECK (typeof(base_url) = 'text'),
    team_id TEXT NOT NULL CHECK (typeof(team_id) = 'text'),
    team_name TEXT NOT NULL CHECK (typeof(team_name) = 'text'),
    mode TEXT NOT NULL CHECK (typeof(mode) = 'text')
);

-- `workbook`, `sheet` and `headings` are JSON: paths may hold what UTF-8 cannot.
CREATE TABLE batch (
    name TEXT PRIMARY KEY NOT NULL CHECK (typeof(name) = 'text'),
    kind TEXT NOT NULL CHECK (typeof(kind) = 'text'),
    workbook TEXT NOT NULL CHECK (typeof(workbook) = 'text'),
    sheet TEXT NOT NULL CHECK (typeof(sheet) = 'text'),
    headings TEXT NOT NULL CHECK (typeof(headings) = 'text'),
    opened_at TEXT NOT NULL CHECK (typeof(opened_at) = 'text'),
    read_at TEXT NOT NULL CHECK (typeof(read_at) = 'text')
);

-- A row and how it stands. `content` is last: it is long and seldom changes.
CREATE TABLE entry (
    key TEXT PRIMARY KEY NOT NULL CHECK (typeof(key) = 'text'),
    batch TEXT NOT NULL REFERENCES batch (name),
    position INTEGER NOT NULL CHECK (typeof(position) = 'integer'),
    kind TEXT NOT NULL CHECK (typeof(kind) = 'text'),
    marker TEXT NOT NULL CHECK (typeof(marker) = 'text'),
    fingerprint TEXT NOT NULL CHECK (typeof(fingerprint) = 'text'),
    state TEXT NOT NULL CHECK (typeof(state) = 'text'),
    moved_at TEXT NOT NULL CHECK (typeof(moved_at) = 'text'),
    project_id TEXT CHECK (typeof(project_id) IN ('text', 'null')),
    reason TEXT NOT NULL CHECK (typeof(reason) = 'text'),
    receipt_number TEXT CHECK (typeof(receipt_number) IN ('text', 'null')),
    content TEXT NOT NULL CHECK (typeof(content) = 'text')
);

-- One project belongs to one row.
CREATE UNIQUE INDEX entry_project ON entry (project_id)
WHERE project_id IS NOT NULL;

CREATE INDEX entry_in_batch ON entry (batch, position, key);

-- The person's rows as they were last read; all but `entry` is JSON.
CREATE TABLE line (
    batch TEXT NOT NULL REFERENCES batch (name),
    position INTEGER NOT NULL CHECK (typeof(position) = 'integer'),
    place TEXT NOT NULL CHECK (typeof(place) = 'text'),
    raw TEXT NOT NULL CHECK (typeof(raw) = 'text'),
    findings TEXT NOT NULL CHECK (typeof(findings) = 'text'),
    entry TEXT REFERENCES entry (key),
    PRIMARY KEY (batch, position)
) WITHOUT ROWID;

-- What happened, in order, each linked to the one before it by its hash.
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    entry TEXT NOT NULL REFERENCES entry (key),
    kind TEXT NOT NULL CHECK (typeof(kind) = 'text'),
    at TEXT NOT NULL CHECK (typeof(at) = 'text'),
    came_from TEXT NOT NULL CHECK (typeof(came_from) = 'text'),
    went_to TEXT NOT NULL CHECK (typeof(went_to) = 'text'),
    step TEXT CHECK (typeof(step) IN ('text', 'null')),
    attempt INTEGER CHECK (typeof(attempt) IN ('integer', 'null')),
    body_sha256 TEXT CHECK (typeof(body_sha256) IN ('text', 'null')),
    verdict TEXT CHECK (typeof(verdict) IN ('text', 'null')),
    http_status INTEGER CHECK (typeof(http_status) IN ('integer', 'null')),
    project TEXT CHECK (typeof(project) IN ('text', 'null')),
    known_projects TEXT NOT NULL CHECK (typeof(known_projects) = 'text'),
    detail TEXT NOT NULL CHECK (typeof(detail) = 'text'),
    previous_hash TEXT NOT NULL CHECK (typeof(previous_hash) = 'text'),
    hash TEXT NOT NULL CHECK (typeof(hash) = 'text')
);

CREATE INDEX event_of_entry ON event (entry, seq);

-- An attempt is begun once and ended once.
CREATE UNIQUE INDEX event_attempt ON event (entry, step, attempt, kind)
WHERE attempt IS NOT NULL;

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN
    SELECT RAISE(ABORT, 'what happened is never changed');
END;

CREATE TRIGGER event_is_never_removed BEFORE DELETE ON event
BEGIN
    SELECT RAISE(ABORT, 'what happened is never removed');
END;

-- Attachments that are with the service. One document belongs to one row.
CREATE TABLE file (
    entry TEXT NOT NULL REFERENCES entry (key),
    sha256 TEXT NOT NULL CHECK (typeof(sha256) = 'text'),
    name TEXT NOT NULL CHECK (typeof(name) = 'text'),
    document_id TEXT NOT NULL UNIQUE CHECK (typeof(document_id) = 'text'),
    UNIQUE (entry, sha256, name)
);
