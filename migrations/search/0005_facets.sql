-- What works are counted by: the values of a work as codes, one column a field, so that counting reads no documents.
-- An index that was built before has no such rows: `npm run reindex` makes it anew.

-- Generation a.
CREATE TABLE facet_value_a (
  code INTEGER PRIMARY KEY,
  -- What stands for the field: see `counted` in src/search/fields.ts.
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  -- The code in digits of five bits, the highest first: `0` to `O` is the last digit, `]` to `|` another one.
  packed TEXT NOT NULL AS (
    iif(code >> 20, char(93 + (code >> 20)), '')
    || iif(code >> 15, char(93 + (code >> 15 & 31)), '')
    || iif(code >> 10, char(93 + (code >> 10 & 31)), '')
    || iif(code >> 5, char(93 + (code >> 5 & 31)), '')
    || char(48 + (code & 31))
  ) VIRTUAL,
  UNIQUE (field, value)
) STRICT;

-- Packed codes of a work, without anything between them.
CREATE TABLE work_facet_a (
  id INTEGER PRIMARY KEY,
  publisher TEXT NOT NULL,
  subject TEXT NOT NULL,
  place TEXT NOT NULL,
  person TEXT NOT NULL,
  time TEXT NOT NULL,
  language TEXT NOT NULL,
  ia_collection TEXT NOT NULL,
  ebook_provider TEXT NOT NULL,
  author_key TEXT NOT NULL,
  series_key TEXT NOT NULL,
  ebook_access TEXT NOT NULL,
  publish_year TEXT NOT NULL,
  first_publish_year TEXT NOT NULL
) STRICT;

-- Generation b.
CREATE TABLE facet_value_b (
  code INTEGER PRIMARY KEY,
  -- What stands for the field: see `counted` in src/search/fields.ts.
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  -- The code in digits of five bits, the highest first: `0` to `O` is the last digit, `]` to `|` another one.
  packed TEXT NOT NULL AS (
    iif(code >> 20, char(93 + (code >> 20)), '')
    || iif(code >> 15, char(93 + (code >> 15 & 31)), '')
    || iif(code >> 10, char(93 + (code >> 10 & 31)), '')
    || iif(code >> 5, char(93 + (code >> 5 & 31)), '')
    || char(48 + (code & 31))
  ) VIRTUAL,
  UNIQUE (field, value)
) STRICT;

-- Packed codes of a work, without anything between them.
CREATE TABLE work_facet_b (
  id INTEGER PRIMARY KEY,
  publisher TEXT NOT NULL,
  subject TEXT NOT NULL,
  place TEXT NOT NULL,
  person TEXT NOT NULL,
  time TEXT NOT NULL,
  language TEXT NOT NULL,
  ia_collection TEXT NOT NULL,
  ebook_provider TEXT NOT NULL,
  author_key TEXT NOT NULL,
  series_key TEXT NOT NULL,
  ebook_access TEXT NOT NULL,
  publish_year TEXT NOT NULL,
  first_publish_year TEXT NOT NULL
) STRICT;
