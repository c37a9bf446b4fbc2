-- Positions of projections that usually move with the one of the row: D1 charges for rows, so a change of the log moves one.
ALTER TABLE projection ADD COLUMN patron_works INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projection ADD COLUMN list_merges INTEGER NOT NULL DEFAULT 0;
-- Positions by projection. Rows of their own are from other times, or from a version that knows no columns.
CREATE VIEW log_position AS
SELECT name, max(change_id) AS change_id FROM (
  SELECT name, change_id FROM projection
  UNION ALL SELECT 'patron-works', patron_works FROM projection
  UNION ALL SELECT 'list-merges', list_merges FROM projection
) p GROUP BY name;
