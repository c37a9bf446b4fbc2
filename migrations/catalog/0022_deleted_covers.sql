-- Covers that were deleted, and what has happened to covers.
-- When it was deleted, naive UTC.
ALTER TABLE cover ADD COLUMN deleted TEXT;
-- From when on the sweep looks again whether the images of a deleted cover lie where nobody sees them; NULL: they do.
ALTER TABLE cover ADD COLUMN removal_due TEXT;
CREATE INDEX cover_removal ON cover (removal_due) WHERE removal_due IS NOT NULL;
-- The newest covers of a category.
CREATE INDEX cover_listed ON cover (category, updated, id) WHERE state = 'stored' AND deleted IS NULL;

CREATE TABLE cover_log (
  id INTEGER PRIMARY KEY,
  cover_id INTEGER NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('new', 'touch', 'delete')),
  timestamp TEXT NOT NULL
) STRICT;
CREATE INDEX cover_log_by_cover ON cover_log (cover_id);

INSERT INTO cover_log (cover_id, action, timestamp)
SELECT id, 'new', updated FROM cover WHERE state = 'stored' ORDER BY id;

-- Whichever way a cover is stored or deleted: in the transaction that does it.
CREATE TRIGGER cover_logged AFTER INSERT ON cover WHEN new.state = 'stored'
BEGIN
  INSERT INTO cover_log (cover_id, action, timestamp) VALUES (new.id, 'new', new.updated);
END;
CREATE TRIGGER cover_stored_logged AFTER UPDATE OF state ON cover WHEN new.state = 'stored' AND old.state <> 'stored'
BEGIN
  INSERT INTO cover_log (cover_id, action, timestamp) VALUES (new.id, 'new', new.updated);
END;
CREATE TRIGGER cover_deleted_logged AFTER UPDATE OF deleted ON cover WHEN new.deleted IS NOT NULL AND old.deleted IS NULL
BEGIN
  INSERT INTO cover_log (cover_id, action, timestamp) VALUES (new.id, 'delete', new.deleted);
END;
