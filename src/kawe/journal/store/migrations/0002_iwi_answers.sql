-- Which iwi a place belongs to, as the service said at that time, so that a
-- run that goes on asks nothing twice. `choices` is JSON: slugs and names.
CREATE TABLE iwi_answer (
    latitude REAL NOT NULL CHECK (typeof(latitude) = 'real'),
    longitude REAL NOT NULL CHECK (typeof(longitude) = 'real'),
    asked_at TEXT NOT NULL CHECK (typeof(asked_at) = 'text'),
    can_select INTEGER NOT NULL CHECK (can_select IN (0, 1)),
    choices TEXT NOT NULL CHECK (typeof(choices) = 'text'),
    PRIMARY KEY (latitude, longitude)
);

CREATE INDEX iwi_answer_by_time ON iwi_answer (asked_at);
