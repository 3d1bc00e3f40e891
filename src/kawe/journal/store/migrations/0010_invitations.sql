-- How the invitation of a person stands, as the service said last: for people alone,
-- nothing is decided by it. `status` is empty where only the answer to the invitation
-- is known. A purge removes the record, for the id leads to the person.
CREATE TABLE invitation (
    entry TEXT PRIMARY KEY NOT NULL REFERENCES entry (key),
    id TEXT NOT NULL CHECK (typeof(id) = 'text'),
    status TEXT NOT NULL CHECK (typeof(status) = 'text'),
    made_at TEXT CHECK (typeof(made_at) IN ('text', 'null')),
    expires_at TEXT CHECK (typeof(expires_at) IN ('text', 'null'))
);
