-- Changes in the order in which they are listed: by time, by author, by kind.
DROP INDEX change_by_author;
CREATE INDEX change_by_author ON change (author, created) WHERE author IS NOT NULL;
CREATE INDEX change_by_kind ON change (kind, created);
-- Who made changes as a bot.
CREATE INDEX change_by_bot ON change (author) WHERE bot = 1;

-- What of the data of changes can be found by value: members that are texts or whole numbers, and elements of
-- lists of those (records.md 8.3).
CREATE TABLE change_data (
  name TEXT NOT NULL,                  -- 'parent_changeset', 'master', 'duplicates', ...
  value TEXT NOT NULL,                 -- numbers as text
  change_id INTEGER NOT NULL,
  PRIMARY KEY (name, value, change_id)
) STRICT, WITHOUT ROWID;

-- Here and not with the writers, so that none of them can leave it out.
CREATE TRIGGER change_data_of_change AFTER INSERT ON change WHEN new.data <> '{}'
BEGIN
  INSERT OR IGNORE INTO change_data (name, value, change_id)
  SELECT member.key, element.value, new.id
  FROM json_each(new.data) member,
       json_each(iif(member.type = 'array', member.value, json_array(member.value))) element
  WHERE member.type IN ('text', 'integer', 'array') AND element.type IN ('text', 'integer')
    AND length(element.value) <= 2048;
END;

INSERT OR IGNORE INTO change_data (name, value, change_id)
SELECT member.key, element.value, c.id
FROM change c, json_each(c.data) member,
     json_each(iif(member.type = 'array', member.value, json_array(member.value))) element
WHERE c.data <> '{}' AND member.type IN ('text', 'integer', 'array') AND element.type IN ('text', 'integer')
  AND length(element.value) <= 2048;
