-- What the import of an item changed or dropped in its record, as a JSON list; null when nothing was.
ALTER TABLE import_item ADD COLUMN warnings TEXT COLLATE "C";
CREATE INDEX import_item_warned ON import_item (batch_id, id) WHERE warnings IS NOT NULL;
