-- The lists of one owner, newest first: those of a patron, or those of nobody. The first column is the key without
-- its number, such as '/people/jane/lists/OL'.
CREATE INDEX list_by_owner ON record (rtrim(rtrim(key, 'L'), '0123456789'), last_modified DESC, key)
WHERE type = '/type/list';

-- Records in lists are found by `property` already; subjects, which lists name by bare texts, are from now on.
INSERT OR IGNORE INTO property (name, value, record_id)
SELECT 'seeds', e.value, r.id
FROM record r, json_each(r.document, '$.seeds') e
WHERE r.type = '/type/list' AND e.type = 'text' AND length(e.value) <= 2048
  AND (e.value GLOB 'subject:*' OR e.value GLOB 'place:*' OR e.value GLOB 'person:*' OR e.value GLOB 'time:*');
