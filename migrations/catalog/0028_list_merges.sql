-- How far the lists that hold merged records have followed the log. The last thousand changes are followed again: jobs of the
-- former kind, which were messages alone, may be lost with the upgrade.
INSERT INTO projection (name, change_id) SELECT 'list-merges', CASE WHEN max(id) > 1000 THEN max(id) - 1000 ELSE 0 END FROM change;
