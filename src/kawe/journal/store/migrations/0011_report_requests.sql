-- Requests for reports of projects, which need not be rows: the intent before the
-- request, its verdict, and the report once it is listed. Steps are only added, and
-- linked by hashes of all but `name` and `reference`, which a purge takes out.
-- `known` is JSON: ids of the reports that were listed before the request.
CREATE TABLE report_step (
    seq INTEGER PRIMARY KEY,
    previous_hash TEXT NOT NULL CHECK (typeof(previous_hash) = 'text'),
    hash TEXT NOT NULL CHECK (typeof(hash) = 'text'),
    project TEXT NOT NULL CHECK (typeof(project) = 'text'),
    kind TEXT NOT NULL CHECK (typeof(kind) = 'text'),
    at TEXT NOT NULL CHECK (typeof(at) = 'text'),
    known TEXT NOT NULL CHECK (typeof(known) = 'text'),
    verdict TEXT NOT NULL CHECK (typeof(verdict) = 'text'),
    report TEXT NOT NULL CHECK (typeof(report) = 'text'),
    name TEXT NOT NULL CHECK (typeof(name) = 'text'),
    reference TEXT NOT NULL CHECK (typeof(reference) = 'text')
);

CREATE TRIGGER report_step_is_never_changed BEFORE UPDATE ON report_step
WHEN
    NOT (
        new.seq IS old.seq
        AND new.previous_hash IS old.previous_hash
        AND new.hash IS old.hash
        AND new.project IS old.project
        AND new.kind IS old.kind
        AND new.at IS old.at
        AND new.known IS old.known
        AND new.verdict IS old.verdict
        AND new.report IS old.report
        AND new.name IS ''
        AND new.reference IS ''
    )
BEGIN
    SELECT RAISE(ABORT, 'what happened is never changed');
END;

CREATE TRIGGER report_step_is_never_removed BEFORE DELETE ON report_step
BEGIN
    SELECT RAISE(ABORT, 'what happened is never removed');
END;
