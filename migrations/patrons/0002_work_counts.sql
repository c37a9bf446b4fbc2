-- Ratings and shelves of a work in numbers, without any patron. The search index follows `version`.
CREATE TABLE work_count (
  work_id INTEGER PRIMARY KEY,         -- number of the work's key: 1 of /works/OL1W
  ratings_1 INTEGER NOT NULL,
  ratings_2 INTEGER NOT NULL,
  ratings_3 INTEGER NOT NULL,
  ratings_4 INTEGER NOT NULL,
  ratings_5 INTEGER NOT NULL,
  want_to_read INTEGER NOT NULL,
  currently_reading INTEGER NOT NULL,
  already_read INTEGER NOT NULL,
  stopped_reading INTEGER NOT NULL,
  version INTEGER NOT NULL             -- ascending over all rows, unique: a cursor can point between any two
) STRICT;
CREATE INDEX work_count_by_version ON work_count (version);

CREATE TABLE work_count_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  value INTEGER NOT NULL               -- highest version given out
) STRICT;
INSERT INTO work_count_version (id, value) VALUES (1, 0);
