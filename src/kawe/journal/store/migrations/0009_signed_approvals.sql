-- An approval that a person signed has its signature, the document that was signed and
-- the rows that it names; all three are empty where a name was typed. `document` is
-- kept byte for byte, `covers` is JSON: pairs of hashes. An event of kind `approval`
-- has a hash of the record, which is never changed.
CREATE TABLE approval_of_plan (
    plan TEXT NOT NULL CHECK (typeof(plan) = 'text'),
    batch TEXT NOT NULL REFERENCES batch (name),
    author TEXT NOT NULL CHECK (typeof(author) = 'text'),
    approved_by TEXT NOT NULL CHECK (typeof(approved_by) = 'text'),
    sends INTEGER NOT NULL CHECK (typeof(sends) = 'integer'),
    at TEXT NOT NULL CHECK (typeof(at) = 'text'),
    signature TEXT NOT NULL CHECK (typeof(signature) = 'text'),
    document TEXT NOT NULL CHECK (typeof(document) = 'text'),
    covers TEXT NOT NULL CHECK (typeof(covers) = 'text'),
    PRIMARY KEY (plan, approved_by, signature)
);

INSERT INTO approval_of_plan
    (plan, batch, author, approved_by, sends, at, signature, document, covers)
SELECT plan, batch, author, approved_by, sends, at, '', '', '' FROM approval;

DROP TABLE approval;

ALTER TABLE approval_of_plan RENAME TO approval;
