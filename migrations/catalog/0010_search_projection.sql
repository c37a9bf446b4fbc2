-- Cursors of the search index. `search`: what the generation that answers holds of the log. `search-rebuild`: the
-- same of both generations while one is being rebuilt. `counts`: how far the counts of D1 PATRONS were followed.
INSERT INTO projection (name, change_id) VALUES ('search', 0), ('search-rebuild', 0), ('counts', 0);
