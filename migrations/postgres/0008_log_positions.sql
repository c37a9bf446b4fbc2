ALTER TABLE projection ADD COLUMN patron_works BIGINT NOT NULL DEFAULT 0;
ALTER TABLE projection ADD COLUMN list_merges BIGINT NOT NULL DEFAULT 0;
CREATE VIEW log_position AS
SELECT name, max(change_id) AS change_id FROM (
  SELECT name, change_id FROM projection
  UNION ALL SELECT 'patron-works', patron_works FROM projection
  UNION ALL SELECT 'list-merges', list_merges FROM projection
) p GROUP BY name;
