-- How far the works that became redirects were followed, on the shelves of patrons. What was redirected before there were
-- any shelves concerns nobody.
INSERT INTO projection (name, change_id) SELECT 'patron-works', coalesce(max(id), 0) FROM change;
