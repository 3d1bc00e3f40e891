-- What the team has at the service, as a look saw it last: it says which projects to
-- read again, never what is absent. `said` is JSON. A purge removes old ones.
CREATE TABLE team_project (
    id TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text'),
    updated_at TEXT NOT NULL CHECK (typeof(updated_at) = 'text'),
    said TEXT NOT NULL CHECK (typeof(said) = 'text')
);

-- When a row was first read: what a person put side by side is not asked about.
CREATE TABLE first_read (
    entry TEXT PRIMARY KEY NOT NULL REFERENCES entry (key),
    at TEXT NOT NULL CHECK (typeof(at) = 'text')
);

INSERT INTO first_read (entry, at)
SELECT key, moved_at FROM entry WHERE project_id IS NULL;

CREATE TRIGGER entry_is_first_read AFTER INSERT ON entry
BEGIN
    INSERT INTO first_read (entry, at) VALUES (new.key, new.moved_at);
END;
