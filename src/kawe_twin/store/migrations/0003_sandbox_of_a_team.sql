-- A live team may have sandbox keys too. What they make lies apart, under an
-- account of its own that nobody is a member of: the team's sandbox.
ALTER TABLE account ADD COLUMN sandbox_of TEXT REFERENCES account (id);
CREATE UNIQUE INDEX account_sandbox_of ON account (sandbox_of)
    WHERE sandbox_of IS NOT NULL;
