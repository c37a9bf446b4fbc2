INSERT INTO projection (name, change_id) SELECT 'list-merges', CASE WHEN max(id) > 1000 THEN max(id) - 1000 ELSE 0 END FROM change;
