-- Scanned items and who may read them (lookup.md 18.3).
CREATE TABLE item (
  ocaid TEXT PRIMARY KEY,
  collections TEXT NOT NULL DEFAULT '[]',   -- JSON array of strings
  access_restricted INTEGER NOT NULL DEFAULT 0,
  copies INTEGER NOT NULL DEFAULT 1,
  browse INTEGER NOT NULL DEFAULT 0,
  mediatype TEXT NOT NULL DEFAULT 'texts',
  imagecount INTEGER,
  updated TEXT NOT NULL
) STRICT, WITHOUT ROWID;
