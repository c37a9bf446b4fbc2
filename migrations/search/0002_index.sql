-- The index, twice: one generation answers while the other is being rebuilt. `index_state` says which is which.
-- All of it can be dropped and made again from the records. docs/storage.md explains every table.
CREATE TABLE index_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  live TEXT NOT NULL CHECK (live IN ('a', 'b')),
  -- Where a rebuild of the other generation stands; null when there is none.
  phase TEXT,
  position INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  started TEXT,
  -- The last term of a pass over the terms of the index (subjects); null between passes.
  term TEXT
) STRICT;
INSERT INTO index_state (id, live) VALUES (1, 'a');

-- Work that outlives a message: fan-out that is done a page at a time.
CREATE TABLE index_job (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  position INTEGER NOT NULL DEFAULT 0,
  due TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX index_job_by_due ON index_job (due);

-- Generation a.
CREATE TABLE work_a (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  boost REAL NOT NULL,
  edition_count INTEGER NOT NULL,
  first_publish_year INTEGER,
  ebook_access INTEGER NOT NULL,
  number_of_pages_median INTEGER,
  cover_i INTEGER,
  ratings_sortable REAL NOT NULL,
  ratings_count INTEGER NOT NULL,
  readinglog_count INTEGER NOT NULL,
  want_to_read_count INTEGER NOT NULL,
  currently_reading_count INTEGER NOT NULL,
  already_read_count INTEGER NOT NULL,
  stopped_reading_count INTEGER NOT NULL,
  -- JSON: how many ratings with one to five stars; null when there are none.
  ratings TEXT,
  osp_count INTEGER,
  ebook_count_i INTEGER NOT NULL,
  trending_score_hourly_sum INTEGER NOT NULL DEFAULT 0,
  trending_z_score REAL NOT NULL DEFAULT 0,
  -- JSON: the hourly and daily slots, {"hourly": [24 numbers], "daily": [7 numbers]}; null when all are 0.
  trending TEXT,
  title_sort TEXT NOT NULL,
  lcc_sort TEXT,
  ddc_sort TEXT,
  random INTEGER NOT NULL
) STRICT;
-- Descending, so that equal values stand in ascending order of id, as ties are decided.
CREATE INDEX work_a_boost ON work_a (boost DESC);
CREATE INDEX work_a_edition_count ON work_a (edition_count DESC);
CREATE INDEX work_a_ratings_sortable ON work_a (ratings_sortable DESC);
CREATE INDEX work_a_readinglog_count ON work_a (readinglog_count DESC);
CREATE INDEX work_a_trending_z_score ON work_a (trending_z_score DESC);
CREATE INDEX work_a_first_publish_year ON work_a (first_publish_year);
CREATE INDEX work_a_title_sort ON work_a (title_sort);
CREATE INDEX work_a_random ON work_a (random);

CREATE TABLE work_document_a (
  id INTEGER PRIMARY KEY,
  -- JSON of what cannot be derived and stands in no column of work_a. Always JSON: of a very large one, what fits.
  document TEXT NOT NULL,
  -- The whole of a very large one: base64 of gzip.
  packed TEXT
) STRICT;

-- Analysed texts of title, author and series that ranking compares, in one JSON list. Apart from the documents,
-- because hundreds of works are compared for a page of twenty.
CREATE TABLE work_ranking_a (
  id INTEGER PRIMARY KEY,
  ranking TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE work_text_a USING fts5 (
  title, subtitle, alternative_title, alternative_subtitle, author_name, author_alternative_name, series_name,
  chapter, subject, place, person, time, publisher, contributor, publish_place, publish_date, by_statement,
  first_sentence, format, number, token,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);
CREATE VIRTUAL TABLE work_term_a USING fts5vocab (work_text_a, 'row');

-- Values that are asked for by range and of which a work has several: Library of Congress and Dewey numbers in
-- their sortable forms, and lexile measures with leading zeros.
CREATE TABLE work_value_a (
  field TEXT NOT NULL CHECK (field IN ('lcc', 'ddc', 'lexile')),
  value TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (field, value, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_value_a_by_work ON work_value_a (id);

CREATE TABLE edition_a (
  work INTEGER NOT NULL,
  -- Place by openness, cover and number, from 0: searches look at the first ones of a work.
  rank INTEGER NOT NULL,
  -- Place in order of number, from 0.
  position INTEGER NOT NULL,
  -- Number of the edition's key.
  id INTEGER NOT NULL,
  -- JSON, without what it shares with its work.
  document TEXT NOT NULL,
  PRIMARY KEY (work, rank)
) STRICT, WITHOUT ROWID;

-- Row work * 8192 + rank is that of the edition with this rank: see src/search/index/ids.ts.
CREATE VIRTUAL TABLE edition_text_a USING fts5 (
  title, subtitle, alternative_title, chapter, publisher, publish_date, format, number, token,
  work UNINDEXED,
  content = '', contentless_delete = 1, contentless_unindexed = 1, detail = full,
  tokenize = "ascii tokenchars '=_.+#'"
);

CREATE TABLE author_a (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  work_count INTEGER NOT NULL,
  name_sort TEXT NOT NULL,
  birth_date TEXT,
  death_date TEXT,
  random INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX author_a_work_count ON author_a (work_count DESC);
CREATE INDEX author_a_name_sort ON author_a (name_sort);
CREATE VIRTUAL TABLE author_text_a USING fts5 (
  name, alternate_names, birth_date, death_date, date, top_subjects, token,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);

CREATE TABLE subject_a (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  -- The most frequent spelling.
  name TEXT NOT NULL,
  subject_type TEXT NOT NULL CHECK (subject_type IN ('subject', 'person', 'place', 'time')),
  work_count INTEGER NOT NULL,
  -- How many works write it as the name does.
  name_count INTEGER NOT NULL
) STRICT;
CREATE INDEX subject_a_work_count ON subject_a (work_count DESC);
CREATE VIRTUAL TABLE subject_text_a USING fts5 (
  name, token,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);

CREATE TABLE list_a (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  list_type TEXT NOT NULL,
  name_sort TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  seed_count INTEGER NOT NULL,
  random INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE list_text_a USING fts5 (
  name, subject, place, person, time, token,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);

-- Words of titles and names as they are written, for the spelling of queries.
CREATE TABLE spelling_a (
  term TEXT PRIMARY KEY,
  -- The term without what is often misspelt: see src/search/text/skeleton.ts.
  skeleton TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spelling_a_skeleton ON spelling_a (skeleton);

-- Documents that are no more, and when that was seen: an older message must not bring them back.
CREATE TABLE tombstone_a (
  key TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  seen TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_a_by_seen ON tombstone_a (seen);

-- Generation b.
CREATE TABLE work_b (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  boost REAL NOT NULL,
  edition_count INTEGER NOT NULL,
  first_publish_year INTEGER,
  ebook_access INTEGER NOT NULL,
  number_of_pages_median INTEGER,
  cover_i INTEGER,
  ratings_sortable REAL NOT NULL,
  ratings_count INTEGER NOT NULL,
  readinglog_count INTEGER NOT NULL,
  want_to_read_count INTEGER NOT NULL,
  currently_reading_count INTEGER NOT NULL,
  already_read_count INTEGER NOT NULL,
  stopped_reading_count INTEGER NOT NULL,
  -- JSON: how many ratings with one to five stars; null when there are none.
  ratings TEXT,
  osp_count INTEGER,
  ebook_count_i INTEGER NOT NULL,
  trending_score_hourly_sum INTEGER NOT NULL DEFAULT 0,
  trending_z_score REAL NOT NULL DEFAULT 0,
  -- JSON: the hourly and daily slots, {"hourly": [24 numbers], "daily": [7 numbers]}; null when all are 0.
  trending TEXT,
  title_sort TEXT NOT NULL,
  lcc_sort TEXT,
  ddc_sort TEXT,
  random INTEGER NOT NULL
) STRICT;
-- Descending, so that equal values stand in ascending order of id, as ties are decided.
CREATE INDEX work_b_boost ON work_b (boost DESC);
CREATE INDEX work_b_edition_count ON work_b (edition_count DESC);
CREATE INDEX work_b_ratings_sortable ON work_b (ratings_sortable DESC);
CREATE INDEX work_b_readinglog_count ON work_b (readinglog_count DESC);
CREATE INDEX work_b_trending_z_score ON work_b (trending_z_score DESC);
CREATE INDEX work_b_first_publish_year ON work_b (first_publish_year);
CREATE INDEX work_b_title_sort ON work_b (title_sort);
CREATE INDEX work_b_random ON work_b (random);

CREATE TABLE work_document_b (
  id INTEGER PRIMARY KEY,
  -- JSON of what cannot be derived and stands in no column of work_b. Always JSON: of a very large one, what fits.
  document TEXT NOT NULL,
  -- The whole of a very large one: base64 of gzip.
  packed TEXT
) STRICT;

-- Analysed texts of title, author and series that ranking compares, in one JSON list. Apart from the documents,
-- because hundreds of works are compared for a page of twenty.
CREATE TABLE work_ranking_b (
  id INTEGER PRIMARY KEY,
  ranking TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE work_text_b USING fts5 (
  title, subtitle, alternative_title, alternative_subtitle, author_name, author_alternative_name, series_name,
  chapter, subject, place, person, time, publisher, contributor, publish_place, publish_date, by_statement,
  first_sentence, format, number, token,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);
CREATE VIRTUAL TABLE work_term_b USING fts5vocab (work_text_b, 'row');

-- Values that are asked for by range and of which a work has several: Library of Congress and Dewey numbers in
-- their sortable forms, and lexile measures with leading zeros.
CREATE TABLE work_value_b (
  field TEXT NOT NULL CHECK (field IN ('lcc', 'ddc', 'lexile')),
  value TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (field, value, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_value_b_by_work ON work_value_b (id);

CREATE TABLE edition_b (
  work INTEGER NOT NULL,
  -- Place by openness, cover and number, from 0: searches look at the first ones of a work.
  rank INTEGER NOT NULL,
  -- Place in order of number, from 0.
  position INTEGER NOT NULL,
  -- Number of the edition's key.
  id INTEGER NOT NULL,
  -- JSON, without what it shares with its work.
  document TEXT NOT NULL,
  PRIMARY KEY (work, rank)
) STRICT, WITHOUT ROWID;

-- Row work * 8192 + rank is that of the edition with this rank: see src/search/index/ids.ts.
CREATE VIRTUAL TABLE edition_text_b USING fts5 (
  title, subtitle, alternative_title, chapter, publisher, publish_date, format, number, token,
  work UNINDEXED,
  content = '', contentless_delete = 1, contentless_unindexed = 1, detail = full,
  tokenize = "ascii tokenchars '=_.+#'"
);

CREATE TABLE author_b (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  work_count INTEGER NOT NULL,
  name_sort TEXT NOT NULL,
  birth_date TEXT,
  death_date TEXT,
  random INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX author_b_work_count ON author_b (work_count DESC);
CREATE INDEX author_b_name_sort ON author_b (name_sort);
CREATE VIRTUAL TABLE author_text_b USING fts5 (
  name, alternate_names, birth_date, death_date, date, top_subjects, token,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);

CREATE TABLE subject_b (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  -- The most frequent spelling.
  name TEXT NOT NULL,
  subject_type TEXT NOT NULL CHECK (subject_type IN ('subject', 'person', 'place', 'time')),
  work_count INTEGER NOT NULL,
  -- How many works write it as the name does.
  name_count INTEGER NOT NULL
) STRICT;
CREATE INDEX subject_b_work_count ON subject_b (work_count DESC);
CREATE VIRTUAL TABLE subject_text_b USING fts5 (
  name, token,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);

CREATE TABLE list_b (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  list_type TEXT NOT NULL,
  name_sort TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  seed_count INTEGER NOT NULL,
  random INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE list_text_b USING fts5 (
  name, subject, place, person, time, token,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);

-- Words of titles and names as they are written, for the spelling of queries.
CREATE TABLE spelling_b (
  term TEXT PRIMARY KEY,
  -- The term without what is often misspelt: see src/search/text/skeleton.ts.
  skeleton TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spelling_b_skeleton ON spelling_b (skeleton);

-- Documents that are no more, and when that was seen: an older message must not bring them back.
CREATE TABLE tombstone_b (
  key TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  seen TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_b_by_seen ON tombstone_b (seen);
