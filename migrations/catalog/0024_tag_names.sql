-- Tags are found by their type and one of their slugs, or their readable name (src/catalog/tag-names.ts).
INSERT OR IGNORE INTO property (name, value, record_id)
SELECT 'tag_slug', r.document ->> '$.tag_type' || ':' || s.value, r.id
FROM record r, json_each(r.document, '$.slugs') s
WHERE r.type = '/type/tag' AND json_type(r.document, '$.tag_type') = 'text' AND s.type = 'text'
  AND json_type(r.document, '$.slugs') IN ('text', 'array')
  AND length(r.document ->> '$.tag_type' || ':' || s.value) <= 2048;

INSERT OR IGNORE INTO property (name, value, record_id)
SELECT 'tag_name', r.document ->> '$.tag_type' || ':' || lower(replace(r.document ->> '$.name', ' ', '_')), r.id
FROM record r
WHERE r.type = '/type/tag' AND json_type(r.document, '$.tag_type') = 'text'
  AND json_type(r.document, '$.name') = 'text'
  AND length(r.document ->> '$.tag_type' || ':' || (r.document ->> '$.name')) <= 2048;
