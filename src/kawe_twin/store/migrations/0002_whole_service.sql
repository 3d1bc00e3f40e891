-- Groups, both sides' assignees, entries of the log that one side keeps to
-- itself, and counts that a list needs not compute.

CREATE TABLE assignment_group (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    colour TEXT NOT NULL,
    description TEXT,
    created_on TEXT NOT NULL,
    updated_on TEXT NOT NULL,
    -- Projects that were assigned to it keep pointing here; nobody sees it.
    deleted_on TEXT
) STRICT;
CREATE INDEX assignment_group_of ON assignment_group (account_id, number);

CREATE TABLE group_member (
    group_id TEXT NOT NULL REFERENCES assignment_group (id),
    person_id TEXT NOT NULL REFERENCES person (id),
    PRIMARY KEY (group_id, person_id)
) STRICT, WITHOUT ROWID;

ALTER TABLE project ADD COLUMN assigned_to_group TEXT
    REFERENCES assignment_group (id);
ALTER TABLE project ADD COLUMN sender_assigned_to_group TEXT
    REFERENCES assignment_group (id);

-- Notes and drafts are for one side; so is what the log says about them.
ALTER TABLE activity ADD COLUMN is_internal INTEGER NOT NULL DEFAULT 0;
CREATE INDEX activity_account ON activity (account_id, resource, number);

-- A draft can be paid for without being submitted.
ALTER TABLE checkout ADD COLUMN submits INTEGER NOT NULL DEFAULT 1;

CREATE INDEX project_organisation ON project (organisation_id)
    WHERE organisation_id IS NOT NULL;
CREATE INDEX project_assigned ON project (assigned_to)
    WHERE assigned_to IS NOT NULL;
CREATE INDEX project_sender_assigned ON project (sender_assigned_to)
    WHERE sender_assigned_to IS NOT NULL;
CREATE INDEX organisation_named ON organisation (name_folded);
CREATE INDEX group_member_person ON group_member (person_id);

-- What a list filters by is repeated beside who sees the project, so that one
-- index gives a page in order, however many projects there are.
ALTER TABLE party ADD COLUMN type TEXT NOT NULL DEFAULT '';
ALTER TABLE party ADD COLUMN priority TEXT NOT NULL DEFAULT '';
ALTER TABLE party ADD COLUMN sender_id TEXT NOT NULL DEFAULT '';
UPDATE party SET (type, priority, sender_id) = (
    SELECT type, priority, account_id FROM project
    WHERE project.number = party.project_number
);
DROP INDEX IF EXISTS party_status;
CREATE INDEX party_cell
    ON party (account_id, status, type, sender_id, project_number);

-- How many projects an account sees in each cell. Triggers alone write it.
CREATE TABLE party_count (
    account_id TEXT NOT NULL REFERENCES account (id),
    status TEXT NOT NULL,
    type TEXT NOT NULL,
    priority TEXT NOT NULL,
    sender_id TEXT NOT NULL,
    n INTEGER NOT NULL CHECK (n >= 0),
    PRIMARY KEY (account_id, status, type, priority, sender_id)
) STRICT, WITHOUT ROWID;
INSERT INTO party_count (account_id, status, type, priority, sender_id, n)
SELECT account_id, status, type, priority, sender_id, count(*) FROM party
GROUP BY account_id, status, type, priority, sender_id;

CREATE TRIGGER party_counted AFTER INSERT ON party BEGIN
    INSERT INTO party_count (account_id, status, type, priority, sender_id, n)
    VALUES (
        new.account_id, new.status, new.type, new.priority, new.sender_id, 1
    )
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER party_moved AFTER UPDATE OF status, type, priority ON party BEGIN
    UPDATE party_count SET n = n - 1
    WHERE account_id = old.account_id AND status = old.status
        AND type = old.type AND priority = old.priority
        AND sender_id = old.sender_id;
    INSERT INTO party_count (account_id, status, type, priority, sender_id, n)
    VALUES (
        new.account_id, new.status, new.type, new.priority, new.sender_id, 1
    )
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
DROP TRIGGER IF EXISTS project_status;
CREATE TRIGGER project_status AFTER UPDATE OF status, type, priority ON project
WHEN old.status <> new.status OR old.type <> new.type
    OR old.priority <> new.priority
BEGIN
    UPDATE party
    SET status = new.status, type = new.type, priority = new.priority
    WHERE project_number = new.number;
END;

-- A project with everything that the interface shows beside it.
DROP VIEW IF EXISTS project_shown;
CREATE VIEW project_shown AS
SELECT
    project.*,
    sender.name AS sender_name,
    sender.kind AS sender_kind,
    recipient.name AS recipient_name,
    organisation.name AS organisation_name,
    organisation.address AS organisation_address,
    organisation.latitude AS organisation_latitude,
    organisation.longitude AS organisation_longitude,
    organisation.city AS organisation_city,
    organisation.country AS organisation_country,
    organisation.postcode AS organisation_postcode,
    assignee.first_name AS assignee_first_name,
    assignee.last_name AS assignee_last_name,
    assignee.profile_picture_url AS assignee_picture,
    sender_assignee.first_name AS sender_assignee_first_name,
    sender_assignee.last_name AS sender_assignee_last_name,
    sender_assignee.profile_picture_url AS sender_assignee_picture,
    assignee_group.id AS assignee_group_id,
    assignee_group.name AS assignee_group_name,
    assignee_group.colour AS assignee_group_colour,
    sender_group.id AS sender_group_id,
    sender_group.name AS sender_group_name,
    sender_group.colour AS sender_group_colour
FROM project
JOIN account AS sender ON sender.id = project.account_id
LEFT JOIN account AS recipient ON recipient.id = project.recipient_team_id
LEFT JOIN organisation ON organisation.id = project.organisation_id
LEFT JOIN person AS assignee ON assignee.id = project.assigned_to
LEFT JOIN person AS sender_assignee
    ON sender_assignee.id = project.sender_assigned_to
LEFT JOIN assignment_group AS assignee_group
    ON assignee_group.id = project.assigned_to_group
    AND assignee_group.deleted_on IS NULL
LEFT JOIN assignment_group AS sender_group
    ON sender_group.id = project.sender_assigned_to_group
    AND sender_group.deleted_on IS NULL;
