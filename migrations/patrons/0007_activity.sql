-- What patrons' objects tell of themselves: one row a patron and subject, taken over when its sequence is higher. A row
-- whose subject is gone stays, so that a late message does not bring it back. Times are milliseconds since the epoch.
CREATE TABLE patron_work (
  patron TEXT NOT NULL,                -- username in lower case
  work_id INTEGER NOT NULL,            -- number of the work's key
  sequence INTEGER NOT NULL,           -- of the patron's object: the higher one holds
  held INTEGER NOT NULL CHECK (held IN (0, 1)), -- 1: the object holds anything of the work, and be it a note alone
  shelf INTEGER CHECK (shelf BETWEEN 1 AND 4),
  edition_id INTEGER,
  logged INTEGER,                      -- when the work came onto a shelf
  moved INTEGER,                       -- when that last changed
  stars INTEGER CHECK (stars BETWEEN 1 AND 5),
  rated_edition_id INTEGER,
  rated INTEGER,
  observations TEXT CHECK (json_type(observations) = 'array'), -- '<type>.<value>', ...; NULL: none
  award_id INTEGER,
  award_topic TEXT,
  PRIMARY KEY (patron, work_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX patron_work_by_work ON patron_work (work_id, patron);
CREATE INDEX patron_work_by_patron ON patron_work (patron, logged DESC, work_id) WHERE shelf IS NOT NULL;
CREATE INDEX patron_work_by_logged ON patron_work (logged, work_id) WHERE shelf < 4;
CREATE INDEX patron_work_by_moved ON patron_work (moved, work_id) WHERE shelf < 4;
CREATE INDEX patron_work_by_topic ON patron_work (award_topic) WHERE award_id IS NOT NULL;
CREATE INDEX patron_work_by_award ON patron_work (work_id, patron) WHERE award_id IS NOT NULL;
CREATE INDEX patron_work_by_awarder ON patron_work (patron, work_id) WHERE award_id IS NOT NULL;

CREATE TABLE patron_follow (
  subscriber TEXT NOT NULL,            -- usernames in lower case
  publisher TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  disabled INTEGER,                    -- 1: the publisher does not show his reading log; NULL: follows no longer
  created INTEGER,
  updated INTEGER,
  PRIMARY KEY (subscriber, publisher)
) STRICT, WITHOUT ROWID;
CREATE INDEX patron_follow_by_publisher ON patron_follow (publisher, created DESC, subscriber) WHERE created IS NOT NULL;
CREATE INDEX patron_follow_by_subscriber ON patron_follow (subscriber, created DESC, publisher) WHERE created IS NOT NULL;

CREATE TABLE patron_like (
  patron TEXT NOT NULL,
  record_key TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  value INTEGER CHECK (value IN (1, -1)), -- NULL: no opinion any more
  created INTEGER,
  modified INTEGER,
  PRIMARY KEY (patron, record_key)
) STRICT, WITHOUT ROWID;

-- Counts, kept exact by the triggers below in the transaction that changes a row.
-- Works that came onto shelves 1 to 3 on a day (UTC; days since the epoch) and are there still.
CREATE TABLE work_day (
  day INTEGER NOT NULL,
  work_id INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  PRIMARY KEY (day, work_id)
) STRICT, WITHOUT ROWID;
-- Patrons who observed something of a work: code '<type>.<value>'; '<type>': anything of that type; '': anything.
CREATE TABLE observation_count (
  work_id INTEGER NOT NULL,
  code TEXT NOT NULL,
  patrons INTEGER NOT NULL,
  PRIMARY KEY (work_id, code)
) STRICT, WITHOUT ROWID;
CREATE TABLE like_count (
  record_key TEXT PRIMARY KEY,
  likes INTEGER NOT NULL,
  dislikes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX work_count_by_readers ON work_count ((want_to_read + currently_reading + already_read) DESC, work_id);

-- Numbers that are given out once, over all patrons.
CREATE TABLE check_in_id (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  patron TEXT NOT NULL
) STRICT;
CREATE INDEX check_in_id_by_patron ON check_in_id (patron);
CREATE TABLE award_number (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  value INTEGER NOT NULL               -- highest number given out
) STRICT;
INSERT INTO award_number (id, value) VALUES (1, 0);

CREATE TRIGGER patron_work_counted AFTER INSERT ON patron_work
WHEN new.shelf IS NOT NULL OR new.stars IS NOT NULL
BEGIN
  UPDATE work_count_version SET value = value + 1;
  INSERT INTO work_count VALUES (
    new.work_id, new.stars IS 1, new.stars IS 2, new.stars IS 3, new.stars IS 4, new.stars IS 5,
    new.shelf IS 1, new.shelf IS 2, new.shelf IS 3, new.shelf IS 4, (SELECT value FROM work_count_version)
  ) ON CONFLICT (work_id) DO UPDATE SET
    ratings_1 = ratings_1 + excluded.ratings_1, ratings_2 = ratings_2 + excluded.ratings_2,
    ratings_3 = ratings_3 + excluded.ratings_3, ratings_4 = ratings_4 + excluded.ratings_4,
    ratings_5 = ratings_5 + excluded.ratings_5, want_to_read = want_to_read + excluded.want_to_read,
    currently_reading = currently_reading + excluded.currently_reading,
    already_read = already_read + excluded.already_read,
    stopped_reading = stopped_reading + excluded.stopped_reading, version = excluded.version;
END;

CREATE TRIGGER patron_work_recounted AFTER UPDATE OF shelf, stars ON patron_work
WHEN new.shelf IS NOT old.shelf OR new.stars IS NOT old.stars
BEGIN
  UPDATE work_count_version SET value = value + 1;
  INSERT INTO work_count VALUES (
    new.work_id, (new.stars IS 1) - (old.stars IS 1), (new.stars IS 2) - (old.stars IS 2),
    (new.stars IS 3) - (old.stars IS 3), (new.stars IS 4) - (old.stars IS 4), (new.stars IS 5) - (old.stars IS 5),
    (new.shelf IS 1) - (old.shelf IS 1), (new.shelf IS 2) - (old.shelf IS 2), (new.shelf IS 3) - (old.shelf IS 3),
    (new.shelf IS 4) - (old.shelf IS 4), (SELECT value FROM work_count_version)
  ) ON CONFLICT (work_id) DO UPDATE SET
    ratings_1 = ratings_1 + excluded.ratings_1, ratings_2 = ratings_2 + excluded.ratings_2,
    ratings_3 = ratings_3 + excluded.ratings_3, ratings_4 = ratings_4 + excluded.ratings_4,
    ratings_5 = ratings_5 + excluded.ratings_5, want_to_read = want_to_read + excluded.want_to_read,
    currently_reading = currently_reading + excluded.currently_reading,
    already_read = already_read + excluded.already_read,
    stopped_reading = stopped_reading + excluded.stopped_reading, version = excluded.version;
END;

CREATE TRIGGER patron_work_uncounted AFTER DELETE ON patron_work
WHEN old.shelf IS NOT NULL OR old.stars IS NOT NULL
BEGIN
  UPDATE work_count_version SET value = value + 1;
  UPDATE work_count SET
    ratings_1 = ratings_1 - (old.stars IS 1), ratings_2 = ratings_2 - (old.stars IS 2),
    ratings_3 = ratings_3 - (old.stars IS 3), ratings_4 = ratings_4 - (old.stars IS 4),
    ratings_5 = ratings_5 - (old.stars IS 5), want_to_read = want_to_read - (old.shelf IS 1),
    currently_reading = currently_reading - (old.shelf IS 2), already_read = already_read - (old.shelf IS 3),
    stopped_reading = stopped_reading - (old.shelf IS 4), version = (SELECT value FROM work_count_version)
  WHERE work_id = old.work_id;
END;

CREATE TRIGGER work_day_counted AFTER INSERT ON patron_work WHEN new.shelf < 4
BEGIN
  INSERT INTO work_day VALUES (new.logged / 86400000, new.work_id, 1)
  ON CONFLICT (day, work_id) DO UPDATE SET entries = entries + 1;
END;

-- What was counted before goes, and what is now is counted: nothing to do where both are the same.
CREATE TRIGGER work_day_recounted AFTER UPDATE OF shelf, logged ON patron_work
WHEN (CASE WHEN new.shelf < 4 THEN new.logged / 86400000 END)
  IS NOT (CASE WHEN old.shelf < 4 THEN old.logged / 86400000 END)
BEGIN
  UPDATE work_day SET entries = entries - 1
  WHERE old.shelf < 4 AND day = old.logged / 86400000 AND work_id = old.work_id;
  DELETE FROM work_day WHERE day = old.logged / 86400000 AND work_id = old.work_id AND entries = 0;
  INSERT INTO work_day SELECT new.logged / 86400000, new.work_id, 1 WHERE new.shelf < 4
  ON CONFLICT (day, work_id) DO UPDATE SET entries = entries + 1;
END;

CREATE TRIGGER work_day_uncounted AFTER DELETE ON patron_work WHEN old.shelf < 4
BEGIN
  UPDATE work_day SET entries = entries - 1 WHERE day = old.logged / 86400000 AND work_id = old.work_id;
  DELETE FROM work_day WHERE day = old.logged / 86400000 AND work_id = old.work_id AND entries = 0;
END;

CREATE TRIGGER observation_counted AFTER INSERT ON patron_work WHEN new.observations IS NOT NULL
BEGIN
  INSERT INTO observation_count
  SELECT new.work_id, code, 1 FROM (
    SELECT value AS code FROM json_each(new.observations)
    UNION SELECT substr(value, 1, instr(value, '.') - 1) FROM json_each(new.observations)
    UNION SELECT ''
  ) WHERE true
  ON CONFLICT (work_id, code) DO UPDATE SET patrons = patrons + 1;
END;

CREATE TRIGGER observation_recounted AFTER UPDATE OF observations ON patron_work
WHEN new.observations IS NOT old.observations
BEGIN
  UPDATE observation_count SET patrons = patrons - 1
  WHERE old.observations IS NOT NULL AND work_id = old.work_id AND code IN (
    SELECT value FROM json_each(old.observations)
    UNION SELECT substr(value, 1, instr(value, '.') - 1) FROM json_each(old.observations)
    UNION SELECT ''
  );
  INSERT INTO observation_count
  SELECT new.work_id, code, 1 FROM (
    SELECT value AS code FROM json_each(new.observations)
    UNION SELECT substr(value, 1, instr(value, '.') - 1) FROM json_each(new.observations)
    UNION SELECT ''
  ) WHERE new.observations IS NOT NULL
  ON CONFLICT (work_id, code) DO UPDATE SET patrons = patrons + 1;
  DELETE FROM observation_count WHERE work_id = new.work_id AND patrons = 0;
END;

CREATE TRIGGER observation_uncounted AFTER DELETE ON patron_work WHEN old.observations IS NOT NULL
BEGIN
  UPDATE observation_count SET patrons = patrons - 1
  WHERE work_id = old.work_id AND code IN (
    SELECT value FROM json_each(old.observations)
    UNION SELECT substr(value, 1, instr(value, '.') - 1) FROM json_each(old.observations)
    UNION SELECT ''
  );
  DELETE FROM observation_count WHERE work_id = old.work_id AND patrons = 0;
END;

CREATE TRIGGER like_counted AFTER INSERT ON patron_like WHEN new.value IS NOT NULL
BEGIN
  INSERT INTO like_count VALUES (new.record_key, new.value IS 1, new.value IS -1)
  ON CONFLICT (record_key) DO UPDATE SET likes = likes + excluded.likes, dislikes = dislikes + excluded.dislikes;
END;

CREATE TRIGGER like_recounted AFTER UPDATE OF value ON patron_like WHEN new.value IS NOT old.value
BEGIN
  INSERT INTO like_count VALUES (
    new.record_key, (new.value IS 1) - (old.value IS 1), (new.value IS -1) - (old.value IS -1)
  ) ON CONFLICT (record_key) DO UPDATE SET likes = likes + excluded.likes, dislikes = dislikes + excluded.dislikes;
  DELETE FROM like_count WHERE record_key = new.record_key AND likes = 0 AND dislikes = 0;
END;

CREATE TRIGGER like_uncounted AFTER DELETE ON patron_like WHEN old.value IS NOT NULL
BEGIN
  UPDATE like_count SET likes = likes - (old.value IS 1), dislikes = dislikes - (old.value IS -1)
  WHERE record_key = old.record_key;
  DELETE FROM like_count WHERE record_key = old.record_key AND likes = 0 AND dislikes = 0;
END;
