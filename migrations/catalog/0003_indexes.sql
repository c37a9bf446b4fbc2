-- What of the latest documents can be found by value. Rows are a pure function of the document
-- (src/catalog/index-rows.ts), so the writer removes a record's old rows by computing them again.
CREATE TABLE property (
  name TEXT NOT NULL,                  -- dotted path: 'works', 'authors.author', 'title', 'remote_ids.wikidata'
  value TEXT NOT NULL,                 -- key of the record referred to, normalised title or name, identifier
  record_id INTEGER NOT NULL,
  PRIMARY KEY (name, value, record_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE identifier (
  kind TEXT NOT NULL,                  -- 'isbn', 'lccn', 'oclc', 'ocaid', 'source', or a name under identifiers
  value TEXT NOT NULL,                 -- normalised (lookup.md 1 and 2)
  edition_id INTEGER NOT NULL,
  PRIMARY KEY (kind, value, edition_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE edition_language (
  language TEXT NOT NULL,              -- MARC code
  work_id INTEGER NOT NULL,            -- 0 = edition without a work
  edition_id INTEGER NOT NULL,
  open INTEGER NOT NULL,               -- 1 = a provider lets everybody read it
  ocaid TEXT,                          -- scan whose access the holdings decide
  PRIMARY KEY (language, work_id, edition_id)
) STRICT, WITHOUT ROWID;
