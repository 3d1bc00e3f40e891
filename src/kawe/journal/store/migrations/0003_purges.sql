-- A purge takes out what was said in an event, and the address that an
-- invitation is known by. Nothing else of an event ever changes: an event of
-- kind `purge`, linked like any other, seals what is left.
DROP TRIGGER event_is_never_changed;

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
WHEN
    NOT (
        new.seq IS old.seq
        AND (new.entry IS old.entry OR new.entry GLOB 'gone:*')
        AND new.kind IS old.kind
        AND new.at IS old.at
        AND new.came_from IS old.came_from
        AND new.went_to IS old.went_to
        AND new.step IS old.step
        AND new.attempt IS old.attempt
        AND new.body_sha256 IS old.body_sha256
        AND new.verdict IS old.verdict
        AND new.http_status IS old.http_status
        AND new.project IS old.project
        AND new.known_projects IS old.known_projects
        AND (new.detail IS old.detail OR new.detail IS '')
        AND new.previous_hash IS old.previous_hash
        AND new.hash IS old.hash
    )
BEGIN
    SELECT RAISE(ABORT, 'what happened is never changed');
END;
