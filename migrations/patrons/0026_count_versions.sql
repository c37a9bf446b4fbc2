-- The version of a change of counts follows from the highest one in the table, instead of from a row that each change would
-- write. `work_count_version` stays until no code that reads it runs any more.
DROP TRIGGER patron_work_counted;
DROP TRIGGER patron_work_recounted;
DROP TRIGGER patron_work_uncounted;

CREATE TRIGGER patron_work_counted AFTER INSERT ON patron_work
WHEN new.shelf IS NOT NULL OR new.stars IS NOT NULL
BEGIN
  INSERT INTO work_count VALUES (
    new.work_id, new.stars IS 1, new.stars IS 2, new.stars IS 3, new.stars IS 4, new.stars IS 5,
    new.shelf IS 1, new.shelf IS 2, new.shelf IS 3, new.shelf IS 4, (SELECT coalesce(max(version), 0) + 1 FROM work_count)
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
  INSERT INTO work_count VALUES (
    new.work_id, (new.stars IS 1) - (old.stars IS 1), (new.stars IS 2) - (old.stars IS 2),
    (new.stars IS 3) - (old.stars IS 3), (new.stars IS 4) - (old.stars IS 4), (new.stars IS 5) - (old.stars IS 5),
    (new.shelf IS 1) - (old.shelf IS 1), (new.shelf IS 2) - (old.shelf IS 2), (new.shelf IS 3) - (old.shelf IS 3),
    (new.shelf IS 4) - (old.shelf IS 4), (SELECT coalesce(max(version), 0) + 1 FROM work_count)
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
  UPDATE work_count SET
    ratings_1 = ratings_1 - (old.stars IS 1), ratings_2 = ratings_2 - (old.stars IS 2),
    ratings_3 = ratings_3 - (old.stars IS 3), ratings_4 = ratings_4 - (old.stars IS 4),
    ratings_5 = ratings_5 - (old.stars IS 5), want_to_read = want_to_read - (old.shelf IS 1),
    currently_reading = currently_reading - (old.shelf IS 2), already_read = already_read - (old.shelf IS 3),
    stopped_reading = stopped_reading - (old.shelf IS 4), version = (SELECT coalesce(max(version), 0) + 1 FROM work_count)
  WHERE work_id = old.work_id;
END;
