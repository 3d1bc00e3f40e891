-- What the twin remembers. Instants are text, UTC with milliseconds and a Z.
-- `number` counts rows in the order in which they came; `id` is what the
-- interface shows.

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE account (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('TEAM', 'IWI')),
    name TEXT NOT NULL,
    slug TEXT UNIQUE,
    sandbox INTEGER NOT NULL DEFAULT 0,
    region TEXT,
    local_authority TEXT,
    organisation_type TEXT,
    national INTEGER,
    primary_colour TEXT,
    logo_url TEXT,
    -- The last line of defence: no balance is ever below zero.
    balance INTEGER NOT NULL DEFAULT 0 CHECK (balance >= 0),
    created_on TEXT NOT NULL
) STRICT;

CREATE TABLE person (
    id TEXT PRIMARY KEY,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    profile_picture_url TEXT,
    created_on TEXT NOT NULL
) STRICT;

CREATE TABLE membership (
    account_id TEXT NOT NULL REFERENCES account (id),
    person_id TEXT NOT NULL REFERENCES person (id),
    role TEXT NOT NULL CHECK (role IN ('OWNER', 'MEMBER')),
    org_department TEXT,
    org_department_other TEXT,
    org_role TEXT,
    org_role_other TEXT,
    created_on TEXT NOT NULL,
    PRIMARY KEY (account_id, person_id)
) STRICT;

-- Keys are kept as hashes only; the secret is shown once.
CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    person_id TEXT REFERENCES person (id),
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_on TEXT NOT NULL,
    revoked_on TEXT
) STRICT;

CREATE TABLE invitation (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    role TEXT NOT NULL,
    org_department TEXT,
    org_department_other TEXT,
    org_role TEXT,
    org_role_other TEXT,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'EXPIRED', 'ACCEPTED')),
    created_on TEXT NOT NULL,
    expired_on TEXT NOT NULL
) STRICT;
CREATE INDEX invitation_of ON invitation (account_id, email_folded);

CREATE TABLE organisation (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    address TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    city TEXT,
    country TEXT,
    postcode TEXT,
    email TEXT,
    phone TEXT,
    mobile TEXT,
    created_on TEXT NOT NULL,
    updated_on TEXT NOT NULL,
    -- Deleting leaves existing projects intact, so the row stays.
    deleted_on TEXT
) STRICT;
CREATE INDEX organisation_of ON organisation (account_id, number);

CREATE TABLE project (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    reference TEXT,
    type TEXT NOT NULL,
    phase TEXT,
    status TEXT NOT NULL,
    priority TEXT NOT NULL,
    address TEXT NOT NULL,
    latitude REAL,
    longitude REAL,
    iwi_wanted TEXT NOT NULL DEFAULT '[]',
    iwi_name TEXT,
    organisation_id TEXT REFERENCES organisation (id),
    recipient_team_id TEXT REFERENCES account (id),
    assigned_to TEXT REFERENCES person (id),
    sender_assigned_to TEXT REFERENCES person (id),
    start_date TEXT NOT NULL,
    end_date TEXT NOT NULL,
    respond_by_date TEXT NOT NULL,
    -- An organisation's next response costs nothing (interface, Token rules 2).
    free_reply INTEGER NOT NULL DEFAULT 1,
    search_text TEXT NOT NULL,
    created_on TEXT NOT NULL,
    updated_on TEXT NOT NULL,
    sent_on TEXT,
    closed_on TEXT
) STRICT;
CREATE INDEX project_reference ON project (reference);

-- Who sees a project. The status is repeated here so that the tabs of a list
-- can be counted from one index.
CREATE TABLE party (
    account_id TEXT NOT NULL REFERENCES account (id),
    project_number INTEGER NOT NULL REFERENCES project (number),
    side TEXT NOT NULL CHECK (side IN ('SENDER', 'RECIPIENT')),
    status TEXT NOT NULL,
    PRIMARY KEY (account_id, project_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX party_project ON party (project_number);

-- Every three characters in a row of name, reference and address, so that a
-- search for part of a word needs no scan.
CREATE VIRTUAL TABLE project_search USING fts5 (
    search_text, content = 'project', content_rowid = 'number',
    tokenize = 'trigram'
);
CREATE TRIGGER project_search_new AFTER INSERT ON project BEGIN
    INSERT INTO project_search (rowid, search_text)
    VALUES (new.number, new.search_text);
END;
CREATE TRIGGER project_search_changed AFTER UPDATE OF search_text ON project BEGIN
    INSERT INTO project_search (project_search, rowid, search_text)
    VALUES ('delete', old.number, old.search_text);
    INSERT INTO project_search (rowid, search_text)
    VALUES (new.number, new.search_text);
END;

CREATE TABLE contact (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    project_id TEXT REFERENCES project (id),
    organisation_id TEXT REFERENCES organisation (id),
    name TEXT,
    role TEXT,
    role_type TEXT,
    email TEXT,
    phone TEXT,
    created_on TEXT NOT NULL
) STRICT;
CREATE INDEX contact_of ON contact (organisation_id);

CREATE TABLE engagement (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    project_id TEXT NOT NULL REFERENCES project (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    person_id TEXT REFERENCES person (id),
    is_internal INTEGER NOT NULL,
    content TEXT,
    meeting_type TEXT,
    created_on TEXT NOT NULL,
    updated_on TEXT NOT NULL,
    deleted_on TEXT
) STRICT;
CREATE INDEX engagement_of ON engagement (project_id, number);

CREATE TABLE document (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES account (id),
    name TEXT,
    mime_type TEXT,
    size_bytes INTEGER,
    category TEXT,
    -- AWAITED until its upload is complete; PAPER is written by the service.
    state TEXT NOT NULL CHECK (state IN ('AWAITED', 'READY', 'PAPER')),
    project_id TEXT REFERENCES project (id),
    engagement_id TEXT REFERENCES engagement (id),
    created_on TEXT NOT NULL,
    updated_on TEXT NOT NULL
) STRICT;
CREATE INDEX document_project ON document (project_id);
CREATE INDEX document_engagement ON document (engagement_id);

-- What a receipt or report says, frozen when it was made.
CREATE TABLE paper (
    document_id TEXT PRIMARY KEY REFERENCES document (id),
    content TEXT NOT NULL
) STRICT;

CREATE TABLE receipt (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES account (id),
    -- One receipt per project sent: a second send cannot even be written.
    project_id TEXT NOT NULL UNIQUE REFERENCES project (id),
    document_id TEXT NOT NULL REFERENCES document (id),
    project_name TEXT NOT NULL,
    receipt_number TEXT NOT NULL UNIQUE,
    submission_number TEXT NOT NULL UNIQUE,
    created_on TEXT NOT NULL
) STRICT;
CREATE INDEX receipt_of ON receipt (account_id, number);

CREATE TABLE report (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES account (id),
    project_id TEXT NOT NULL REFERENCES project (id),
    document_id TEXT NOT NULL REFERENCES document (id),
    project_name TEXT NOT NULL,
    reference TEXT,
    created_on TEXT NOT NULL,
    listed_at TEXT NOT NULL
) STRICT;
CREATE INDEX report_of ON report (account_id, number);

CREATE TABLE activity (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    action TEXT NOT NULL,
    resource TEXT NOT NULL,
    property TEXT,
    before TEXT,
    after TEXT,
    project_id TEXT REFERENCES project (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    person_id TEXT REFERENCES person (id),
    created_on TEXT NOT NULL
) STRICT;
CREATE INDEX activity_of ON activity (project_id, number);

-- Every change of a balance, so that the sum can be proven.
CREATE TABLE token_entry (
    number INTEGER PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    change INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('START', 'BOUGHT', 'SENT', 'RESPONDED')),
    project_id TEXT REFERENCES project (id),
    created_on TEXT NOT NULL
) STRICT;
CREATE INDEX token_entry_project ON token_entry (project_id);

CREATE TABLE invoice (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES account (id),
    description TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    created_on TEXT NOT NULL
) STRICT;
CREATE INDEX invoice_of ON invoice (account_id, number);

-- A purchase that a person has to finish in a browser.
CREATE TABLE checkout (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    project_id TEXT NOT NULL REFERENCES project (id),
    quantity INTEGER NOT NULL,
    created_on TEXT NOT NULL,
    paid_on TEXT
) STRICT;
