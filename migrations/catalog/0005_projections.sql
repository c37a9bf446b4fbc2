-- How far each projection has followed the log of changes.
CREATE TABLE projection (
  name TEXT PRIMARY KEY,
  change_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO projection (name, change_id) VALUES ('answers', 0);
