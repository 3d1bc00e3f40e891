-- The journal on a PostgreSQL server, as it began: the tables of `migrations`, in
-- their form of version 12. A migration that was released is never edited.
--
-- Texts sort by their bytes, as in a file.
CREATE DOMAIN words AS text COLLATE "C";

-- Who writes: each that takes the journal over has the next number, and every
-- transaction asks whether it still has the last.
CREATE TABLE writer (
    only_one integer PRIMARY KEY CHECK (only_one = 1),
    number bigint NOT NULL,
    holder words NOT NULL
);

INSERT INTO writer (only_one, number, holder) VALUES (1, 0, '');

CREATE TABLE binding (
    only_one integer PRIMARY KEY CHECK (only_one = 1),
    base_url words NOT NULL,
    team_id words NOT NULL,
    team_name words NOT NULL,
    mode words NOT NULL
);

CREATE TABLE batch (
    name words PRIMARY KEY,
    kind words NOT NULL,
    workbook words NOT NULL,
    sheet words NOT NULL,
    headings words NOT NULL,
    opened_at words NOT NULL,
    read_at words NOT NULL
);

-- A purge gives rows another key, and all that names them too: references are held
-- at its end.
CREATE TABLE entry (
    key words PRIMARY KEY,
    batch words NOT NULL REFERENCES batch (name),
    position bigint NOT NULL,
    kind words NOT NULL,
    marker words NOT NULL,
    fingerprint words NOT NULL,
    state words NOT NULL,
    moved_at words NOT NULL,
    project_id words,
    reason words NOT NULL,
    receipt_number words,
    content words NOT NULL
);

CREATE UNIQUE INDEX entry_project ON entry (project_id)
WHERE project_id IS NOT NULL;

CREATE INDEX entry_in_batch ON entry (batch, position, key);

CREATE TABLE reading (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch words NOT NULL REFERENCES batch (name),
    workbook words NOT NULL,
    sheet words NOT NULL,
    headings words NOT NULL,
    read_at words NOT NULL,
    nth bigint NOT NULL,
    UNIQUE (batch, workbook, sheet)
);

CREATE TABLE line (
    reading bigint NOT NULL REFERENCES reading (id),
    position bigint NOT NULL,
    place words NOT NULL,
    raw words NOT NULL,
    findings words NOT NULL,
    entry words REFERENCES entry (key) DEFERRABLE,
    PRIMARY KEY (reading, position)
);

CREATE INDEX line_of_entry ON line (entry) WHERE entry IS NOT NULL;

CREATE TABLE event (
    seq bigint PRIMARY KEY,
    entry words NOT NULL REFERENCES entry (key) DEFERRABLE,
    kind words NOT NULL,
    at words NOT NULL,
    came_from words NOT NULL,
    went_to words NOT NULL,
    step words,
    attempt bigint,
    body_sha256 words,
    verdict words,
    http_status bigint,
    project words,
    known_projects words NOT NULL,
    detail words NOT NULL,
    previous_hash words NOT NULL,
    hash words NOT NULL
);

CREATE INDEX event_of_entry ON event (entry, seq);

CREATE UNIQUE INDEX event_attempt ON event (entry, step, attempt, kind)
WHERE attempt IS NOT NULL;

CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what happened is never changed'
    USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
FOR EACH ROW WHEN (
    (new.entry IS DISTINCT FROM old.entry AND new.entry NOT LIKE 'gone:%')
    OR (new.detail IS DISTINCT FROM old.detail AND new.detail <> '')
    OR to_jsonb(new) - 'entry' - 'detail' <> to_jsonb(old) - 'entry' - 'detail'
)
EXECUTE FUNCTION refused();

CREATE TRIGGER event_is_never_removed BEFORE DELETE ON event
FOR EACH ROW EXECUTE FUNCTION refused();

CREATE TABLE file (
    rowid bigint GENERATED ALWAYS AS IDENTITY,
    entry words NOT NULL REFERENCES entry (key) DEFERRABLE,
    sha256 words NOT NULL,
    name words NOT NULL,
    document_id words NOT NULL UNIQUE,
    UNIQUE (entry, sha256, name)
);

CREATE TABLE iwi_answer (
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    asked_at words NOT NULL,
    can_select boolean NOT NULL,
    choices words NOT NULL,
    PRIMARY KEY (latitude, longitude)
);

CREATE INDEX iwi_answer_by_time ON iwi_answer (asked_at);

CREATE TABLE batch_owner (
    batch words PRIMARY KEY REFERENCES batch (name),
    owner words NOT NULL
);

CREATE TABLE queue_place (
    entry words PRIMARY KEY REFERENCES entry (key) DEFERRABLE,
    place bigint NOT NULL
);

CREATE TABLE approval (
    plan words NOT NULL,
    batch words NOT NULL REFERENCES batch (name),
    author words NOT NULL,
    approved_by words NOT NULL,
    sends bigint NOT NULL,
    at words NOT NULL,
    signature words NOT NULL,
    document words NOT NULL,
    covers words NOT NULL,
    PRIMARY KEY (plan, approved_by, signature)
);

CREATE TABLE run (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch words NOT NULL REFERENCES batch (name),
    command words NOT NULL,
    workbook words NOT NULL,
    began_at words NOT NULL,
    ended_at words,
    who words NOT NULL,
    counts words NOT NULL,
    tokens bigint NOT NULL,
    name words NOT NULL DEFAULT '',
    exit_code bigint
);

CREATE INDEX run_of_batch ON run (batch);

CREATE TABLE sent_to (
    entry words PRIMARY KEY REFERENCES entry (key) DEFERRABLE,
    iwi words NOT NULL
);

CREATE TABLE invitation (
    entry words PRIMARY KEY REFERENCES entry (key) DEFERRABLE,
    id words NOT NULL,
    status words NOT NULL,
    made_at words,
    expires_at words
);

CREATE TABLE report_step (
    seq bigint PRIMARY KEY,
    at words NOT NULL,
    name words NOT NULL,
    reference words NOT NULL
);

CREATE TABLE team_project (
    id words PRIMARY KEY,
    updated_at words NOT NULL,
    said words NOT NULL
);

CREATE TABLE first_read (
    entry words PRIMARY KEY REFERENCES entry (key) DEFERRABLE,
    at words NOT NULL
);

CREATE FUNCTION keep_first_read() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO first_read (entry, at) VALUES (new.key, new.moved_at);
    RETURN NULL;
END
$$;

CREATE TRIGGER entry_is_first_read AFTER INSERT ON entry
FOR EACH ROW EXECUTE FUNCTION keep_first_read();

-- SQLite has it of its own.
CREATE FUNCTION json_quote(said text) RETURNS text
LANGUAGE sql IMMUTABLE AS 'SELECT to_json(said)::text';
