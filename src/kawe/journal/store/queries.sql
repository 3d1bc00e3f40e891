-- Every question and every write of the journal. A line `-- name` begins one,
-- and what stands in braces is named in `opening.py`. One that begins with `row_` is a
-- part of others, which have its name in brackets; `(all_else)` is what an insert has
-- besides the columns of its conflict.

-- binding
SELECT base_url, team_id, team_name, mode FROM binding;

-- put_binding
INSERT INTO binding (only_one, base_url, team_id, team_name, mode)
VALUES (1, ?, ?, ?, ?)
ON CONFLICT (only_one) DO UPDATE SET (all_else);

-- batches
SELECT name, kind, workbook, sheet, headings, opened_at, read_at
FROM batch
ORDER BY read_at, name;

-- put_batch
INSERT INTO batch (name, kind, workbook, sheet, headings, opened_at, read_at)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE SET (all_else);

-- readings
SELECT batch, workbook, sheet, headings, read_at
FROM reading
WHERE batch = ?
ORDER BY nth;

-- reading_id
SELECT id FROM reading WHERE batch = ? AND workbook = ? AND sheet = ?;

-- put_reading
INSERT INTO reading (batch, workbook, sheet, headings, read_at, nth)
VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(nth), 0) + 1 FROM reading))
ON CONFLICT (batch, workbook, sheet) DO UPDATE SET (all_else);

-- drop_reading
DELETE FROM reading WHERE id = ?;

-- lines
SELECT place, raw, findings, entry FROM line WHERE reading = ? ORDER BY position;

-- named
SELECT
    line.entry, reading.batch, reading.workbook, reading.sheet,
    reading.headings, reading.read_at, line.place, line.raw, line.findings
FROM line JOIN reading ON reading.id = line.reading
WHERE line.entry IN (SELECT value FROM json_each(?))
ORDER BY reading.nth DESC, line.position;

-- kept_lines
SELECT position, place, raw, findings, entry FROM line WHERE reading = ?;

-- clear_lines_after
DELETE FROM line WHERE reading = ? AND position > ?;

-- put_line
INSERT INTO line (reading, position, place, raw, findings, entry)
VALUES (?, ?, ?, ?, ?, coalesce((SELECT key FROM entry WHERE key = ?), ?))
ON CONFLICT (reading, position) DO UPDATE SET (all_else);

-- entries
SELECT {entry}, content FROM entry
WHERE batch = ?
ORDER BY position, key;

-- row_is_quiet
-- Nothing is to be told of a row, nor of its line in the one sheet of its batch. Never
-- the last line: below it stand rows of other sheets.
line.reading = ? AND line.findings = '[]' AND entry.batch = ?
AND entry.state IN (SELECT value FROM json_each(?)) AND entry.reason = ''
AND NOT EXISTS (SELECT 1 FROM invitation WHERE invitation.entry = entry.key)
AND line.position < (
    SELECT max(last.position) FROM line AS last WHERE last.reading = ?
)

-- quiet_rows
SELECT state, count(*) FROM line JOIN entry ON entry.key = line.entry
WHERE (row_is_quiet)
GROUP BY state;

-- quiet
SELECT place, entry.key, state FROM line JOIN entry ON entry.key = line.entry
WHERE (row_is_quiet)
ORDER BY line.position;

-- quiet_with_words
SELECT place, entry.key, state, raw, marker, project_id, receipt_number,
    json_extract(content, '$.name')
FROM line JOIN entry ON entry.key = line.entry
WHERE (row_is_quiet)
ORDER BY line.position;

-- told_lines
SELECT place, raw, findings, line.entry
FROM line LEFT JOIN entry ON entry.key = line.entry
WHERE line.reading = ? AND (row_is_quiet) IS NOT TRUE
ORDER BY line.position;

-- told_entries
SELECT {entry}, content FROM entry
WHERE
    batch = ?
    AND NOT EXISTS (SELECT 1 FROM line WHERE line.entry = entry.key AND (row_is_quiet))
ORDER BY position, key;

-- unfinished
SELECT {entry}, content FROM entry
WHERE batch = ? AND state IN (SELECT value FROM json_each(?))
ORDER BY position, key;

-- entry
SELECT {entry}, content FROM entry
WHERE key = ?;

-- find
SELECT {entry}, content FROM entry
WHERE key IN (SELECT value FROM json_each(?));

-- known
SELECT {entry} FROM entry
WHERE key IN (SELECT value FROM json_each(?));

-- made
SELECT {entry}, content FROM entry
WHERE
    project_id IS NOT NULL
    AND kind = 'projects'
    AND key NOT IN (SELECT value FROM json_each(?))
ORDER BY key;

-- add_entry
INSERT INTO entry (
    batch, position, marker, fingerprint, state, moved_at, reason, content,
    kind, key
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- replace_entry
UPDATE entry
SET batch = ?, position = ?, marker = ?, fingerprint = ?, state = ?,
    moved_at = ?, reason = ?, content = ?, kind = ?
WHERE key = ?;

-- refresh_entry
UPDATE entry SET batch = ?, position = ?, content = ? WHERE key = ?;

-- place_entry
UPDATE entry SET batch = ?, position = ? WHERE key IN (?, ?);

-- change_entry
UPDATE entry
SET state = ?, moved_at = ?, project_id = ?, reason = ?, receipt_number = ?
WHERE key = ?;

-- owner_of
SELECT key FROM entry WHERE project_id = ?;

-- owners
SELECT {entry}, content FROM entry
WHERE project_id IN (SELECT value FROM json_each(?))
ORDER BY batch, position, key;

-- attempts_made
SELECT entry, count(*) FROM event
WHERE
    entry IN (SELECT value FROM json_each(?))
    AND step = ? AND attempt IS NOT NULL AND kind = 'intent'
GROUP BY entry;

-- latest_intent
SELECT {event} FROM event
WHERE entry = ? AND kind = 'intent'
ORDER BY seq DESC LIMIT 1;

-- events
SELECT {event} FROM event
WHERE entry = ?
ORDER BY seq;

-- row_was_sent_at
-- When the answer came; else when the request left of which no answer says that it
-- was not carried out; else, of what somebody else had sent, the time of its receipt,
-- or when kawe saw it. Each is looked for only where the one before is missing.
coalesce(
    (
        SELECT max(at) FROM event
        WHERE
            entry = key AND kind = 'conclusion' AND verdict = 'done'
            AND ((went_over) OR (step NOT IN ('create', 'update') AND (row_is_over)))
    ),
    CASE WHEN (row_is_over) THEN coalesce(
        (
            SELECT max(at) FROM event AS acted
            WHERE
                entry = key AND kind = 'intent' AND step NOT IN ('create', 'update')
                AND NOT EXISTS (
                    SELECT 1 FROM event AS ended
                    WHERE ended.entry = acted.entry AND ended.step = acted.step
                        AND ended.attempt = acted.attempt AND ended.attempt IS NOT NULL
                        AND ended.kind = 'conclusion' AND ended.verdict = 'not-done'
                )
        ),
        (
            SELECT min(at) FROM event
            WHERE entry = key AND (kind = 'receipt' OR (went_over))
        )
    ) END
)

-- row_is_over
EXISTS (SELECT 1 FROM event AS over WHERE over.entry = key AND (went_over))

-- went_over
went_to IN ('SENT', 'CONFIRMED', 'INVITED', 'DONE')

-- sent_at
SELECT key, at FROM (
    SELECT key, (row_was_sent_at) AS at FROM entry
    WHERE key IN (SELECT value FROM json_each(?))
) AS sent WHERE at IS NOT NULL;

-- hours
-- An hour of UTC is one of New Zealand too, whose days begin with one.
SELECT batch, state, substr(coalesce((row_was_sent_at), moved_at), 1, 13), iwi, count(*)
FROM entry LEFT JOIN sent_to ON sent_to.entry = entry.key
GROUP BY 1, 2, 3, 4;

-- doubted_creates
SELECT key FROM entry
WHERE batch = ? AND EXISTS (
    SELECT 1 FROM event AS begun
    WHERE begun.entry = entry.key AND begun.step = 'create'
        AND begun.attempt IS NOT NULL AND begun.kind = 'intent' AND NOT EXISTS (
            SELECT 1 FROM event AS ended
            WHERE ended.entry = begun.entry AND ended.step = 'create'
                AND ended.attempt = begun.attempt AND ended.attempt IS NOT NULL
                AND ended.kind = 'conclusion' AND ended.verdict <> 'unknown'
        )
)
ORDER BY position, key;

-- let_go
SELECT detail FROM event
WHERE entry = ? AND kind = 'move' AND came_from = 'HELD'
ORDER BY seq DESC LIMIT 1;

-- last_link
SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1;

-- add_event
INSERT INTO event (seq, previous_hash, hash, {event})
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- chain
SELECT seq, previous_hash, hash, {event} FROM event
ORDER BY seq;

-- footings
SELECT key, state, project_id, receipt_number FROM entry ORDER BY key;

-- misfit
-- A row that does not stand where its events left it; without events it is one
-- of which nothing was made. One look into the index for each: 0.4 seconds for
-- 100,000 rows that are done.
SELECT key
FROM entry
WHERE
    (
        state IS NOT (
            SELECT went_to FROM event WHERE entry = key ORDER BY seq DESC LIMIT 1
        )
        AND (
            state NOT IN (SELECT value FROM json_each(?))
            OR EXISTS (SELECT 1 FROM event WHERE entry = key)
        )
    )
    OR project_id IS NOT (
        SELECT project FROM event
        WHERE entry = key AND project IS NOT NULL
        ORDER BY seq DESC
        LIMIT 1
    )
    OR receipt_number IS NOT (
        SELECT detail FROM event
        WHERE entry = key AND kind = 'receipt'
        ORDER BY seq DESC
        LIMIT 1
    )
LIMIT 1;

-- files
SELECT entry, sha256, name, document_id FROM file WHERE entry = ? ORDER BY rowid;

-- file_of
SELECT entry, sha256, name, document_id FROM file WHERE document_id = ?;

-- put_file
INSERT INTO file (entry, sha256, name, document_id)
VALUES (?, ?, ?, ?)
ON CONFLICT (entry, sha256, name) DO UPDATE SET (all_else);

-- iwi_answers
SELECT latitude, longitude, can_select, choices FROM iwi_answer WHERE asked_at >= ?;

-- put_iwi_answer
INSERT INTO iwi_answer (latitude, longitude, asked_at, can_select, choices)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT (latitude, longitude) DO UPDATE SET (all_else);

-- sent_to
SELECT entry, iwi FROM sent_to WHERE entry IN (SELECT value FROM json_each(?));

-- put_sent_to
INSERT INTO sent_to (entry, iwi) VALUES (?, ?)
ON CONFLICT (entry) DO UPDATE SET (all_else);

-- forget_sent_to
DELETE FROM sent_to WHERE entry = ?;

-- team_projects
SELECT id, updated_at, said FROM team_project;

-- team_projects_read
SELECT id, updated_at FROM team_project;

-- put_team_project
INSERT INTO team_project (id, updated_at, said) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET (all_else);

-- forget_team_projects
DELETE FROM team_project WHERE updated_at < ?;

-- first_read
SELECT entry, at FROM first_read WHERE entry IN (SELECT value FROM json_each(?));

-- forget_first_read
DELETE FROM first_read WHERE entry = ?;

-- invitations
SELECT entry, id, status, made_at, expires_at FROM invitation
WHERE entry IN (SELECT value FROM json_each(?));

-- put_invitation
INSERT INTO invitation (entry, id, status, made_at, expires_at)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT (entry) DO UPDATE SET (all_else);

-- forget_invitation
DELETE FROM invitation WHERE entry = ?;

-- rows_named
SELECT key, state, batch FROM entry
WHERE ? IN (batch, marker, project_id) AND NOT (row_is_purged)
ORDER BY key;

-- row_is_purged
'purge' IS (
    SELECT event.kind FROM event
    WHERE event.entry = entry.key
    ORDER BY event.seq DESC LIMIT 1
)

-- holds
SELECT kind, detail FROM event
WHERE kind IN ('hold', 'lift') AND detail <> ''
ORDER BY seq;

-- finished_before
SELECT key, kind, state, content, batch, marker, moved_at FROM entry
WHERE
    state IN (SELECT value FROM json_each(?))
    AND moved_at < ?
    AND kind = coalesce(?, kind)
    AND NOT (row_is_purged)
ORDER BY key;

-- history
SELECT seq, hash, {event} FROM event
WHERE entry = ?
ORDER BY seq;

-- purges
SELECT entry, max(seq) FROM event WHERE kind = 'purge' GROUP BY entry;

-- redact_event
UPDATE event SET entry = ?, detail = ? WHERE seq = ?;

-- forget_files
UPDATE file SET entry = ?, name = document_id WHERE entry = ?;

-- rename_lines
UPDATE line SET entry = ? WHERE entry = ?;

-- forget_entry
UPDATE entry
SET key = ?, content = ?, reason = '', marker = CASE WHEN ? THEN marker ELSE '' END
WHERE key = ?;

-- forget_lines
UPDATE line SET raw = '[]', findings = '[]'
WHERE
    EXISTS (SELECT 1 FROM entry WHERE entry.key = line.entry AND (row_is_purged))
    OR (
        line.entry IS NULL
        AND line.reading IN (
            SELECT reading.id
            FROM reading JOIN batch ON batch.name = reading.batch
            WHERE
                reading.read_at < ?
                AND batch.kind = coalesce(?, batch.kind)
                AND batch.name NOT IN (SELECT value FROM json_each(?))
        )
    );

-- forgotten_batches
SELECT name FROM batch
WHERE
    NOT EXISTS (
        SELECT 1 FROM entry WHERE entry.batch = batch.name AND NOT (row_is_purged)
    )
    AND NOT EXISTS (
        SELECT 1 FROM line JOIN reading ON reading.id = line.reading
        WHERE reading.batch = batch.name AND line.raw IS NOT '[]'
    );

-- forget_batch
UPDATE batch SET workbook = json_quote(name), headings = '[]' WHERE name = ?;

-- forget_readings
UPDATE reading SET workbook = json_quote(batch || ' ' || id), headings = '[]'
WHERE batch = ?;

-- forget_iwi_answers
DELETE FROM iwi_answer WHERE asked_at < ?;

-- waits
SELECT
    entry,
    min(CASE WHEN went_to IN ('WAIT_TOKENS', 'QUEUED') THEN at END),
    max(CASE WHEN kind = 'conclusion' AND http_status = 402 THEN at END)
FROM event
WHERE entry IN (SELECT value FROM json_each(?))
GROUP BY entry
HAVING min(CASE WHEN went_to IN ('WAIT_TOKENS', 'QUEUED') THEN at END) IS NOT NULL;

-- queue
SELECT entry FROM queue_place ORDER BY place, entry;

-- clear_queue
DELETE FROM queue_place;

-- put_in_queue
INSERT INTO queue_place (entry, place) VALUES (?, ?);

-- batch_owners
SELECT batch, owner FROM batch_owner ORDER BY batch;

-- put_batch_owner
INSERT INTO batch_owner (batch, owner) VALUES (?, ?)
ON CONFLICT (batch) DO UPDATE SET (all_else);

-- approvals
SELECT
    plan, batch, author, approved_by, sends, at, signature, document, covers
FROM approval
ORDER BY at, approved_by, signature;

-- put_approval
INSERT INTO approval
    (plan, batch, author, approved_by, sends, at, signature, document, covers)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (plan, approved_by, signature) DO NOTHING;

-- approval_kept
SELECT 1 FROM approval WHERE plan = ? AND approved_by = ? AND signature = ?;

-- approval_links
SELECT detail, seq FROM event WHERE kind = 'approval' ORDER BY seq;

-- runs
-- Of a run without an end: what it began that may take a token, and nothing took back.
SELECT batch, command, workbook, began_at,
    ended_at, who, counts,
    CASE WHEN ended_at IS NOT NULL OR name = '' THEN tokens ELSE (
        SELECT count(DISTINCT sent.entry)
        FROM event AS sent JOIN entry ON entry.key = sent.entry
        WHERE sent.step IN ('send', 'responses', 'reports') AND sent.kind = 'intent'
            AND sent.at >= began_at AND sent.at < coalesce((
                SELECT min(later.began_at) FROM run AS later
                WHERE later.id > run.id AND later.name <> run.name
            ), '9999')
            AND (command = 'submit' OR entry.batch = run.batch)
            AND EXISTS (SELECT 1 FROM binding WHERE mode = 'live')
            AND NOT EXISTS (
                SELECT 1 FROM event AS back
                WHERE back.entry = sent.entry AND back.seq > sent.seq AND (
                    back.verdict = 'not-done'
                    OR back.went_to IN ('READY', 'WAIT_TOKENS', 'VALID', 'QUEUED')
                )
            )
    ) END,
    name, exit_code
FROM run
ORDER BY id;

-- open_run
SELECT max(id) FROM run
WHERE batch = ? AND command = ? AND name = ? AND ended_at IS NULL
HAVING max(id) IS NOT NULL;

-- put_run
INSERT INTO run
    (batch, command, workbook, began_at,
    ended_at, who, counts, tokens, name, exit_code)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- end_run
UPDATE run
SET ended_at = ?, who = ?, counts = ?, tokens = ?, name = ?, exit_code = ?
WHERE id = ?;

-- forget_runs
UPDATE run SET workbook = json_quote(batch) WHERE batch = ?;

-- standing
SELECT state, count(*) FROM entry GROUP BY state;

-- forget_reports
-- Nothing writes these steps any more; they name projects.
UPDATE report_step SET name = '', reference = ''
WHERE name || reference <> '' AND at < ?;
