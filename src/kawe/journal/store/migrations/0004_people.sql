-- What people decided about a batch; nothing here changes what was sent.

-- Who answers for a batch, in their own words: a name, a desk, a mailbox.
CREATE TABLE batch_owner (
    batch TEXT PRIMARY KEY NOT NULL REFERENCES batch (name),
    owner TEXT NOT NULL CHECK (typeof(owner) = 'text')
);

-- Rows that a person put in front of others: the lowest place goes first.
-- A row without a place keeps the order that its priority and date give it.
CREATE TABLE queue_place (
    entry TEXT PRIMARY KEY NOT NULL REFERENCES entry (key),
    place INTEGER NOT NULL CHECK (typeof(place) = 'integer')
);

-- Who made a plan and who agreed to it; `plan` is its hash. Never changed.
CREATE TABLE approval (
    plan TEXT NOT NULL CHECK (typeof(plan) = 'text'),
    batch TEXT NOT NULL REFERENCES batch (name),
    author TEXT NOT NULL CHECK (typeof(author) = 'text'),
    approved_by TEXT NOT NULL CHECK (typeof(approved_by) = 'text'),
    sends INTEGER NOT NULL CHECK (typeof(sends) = 'integer'),
    at TEXT NOT NULL CHECK (typeof(at) = 'text'),
    PRIMARY KEY (plan, approved_by)
);
