-- Whom the service says that it told of a row that was sent. `iwi` is JSON: names.
CREATE TABLE sent_to (
    entry TEXT PRIMARY KEY NOT NULL REFERENCES entry (key),
    iwi TEXT NOT NULL CHECK (typeof(iwi) = 'text')
);
