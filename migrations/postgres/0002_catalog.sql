-- The tables of migrations/catalog in their present state, which says what they are for. A test holds them together:
-- the same columns, keys, checks and rows. Texts are compared by their bytes, as SQLite does. Indexes end with the primary
-- key, as those of SQLite do by themselves.
CREATE TABLE change (
  id BIGINT PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  author TEXT COLLATE "C",
  comment TEXT COLLATE "C",
  bot BIGINT NOT NULL DEFAULT 0,
  ip TEXT COLLATE "C",
  created TEXT COLLATE "C" NOT NULL,
  changes TEXT COLLATE "C",
  data TEXT COLLATE "C" NOT NULL DEFAULT '{}'
);

CREATE TABLE expectation (
  met BIGINT NOT NULL CHECK (met = 1)
);

CREATE TABLE record (
  id BIGINT PRIMARY KEY,
  key TEXT COLLATE "C" NOT NULL UNIQUE,
  type TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  change_id BIGINT NOT NULL,
  flags BIGINT NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  last_modified TEXT COLLATE "C" NOT NULL,
  document TEXT COLLATE "C" NOT NULL
);
CREATE INDEX record_by_type ON record (type, id);
CREATE INDEX record_by_modified ON record (type, last_modified, id);
CREATE INDEX record_by_change ON record (change_id, id);

CREATE TABLE revision (
  record_id BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  change_id BIGINT NOT NULL,
  last_modified TEXT COLLATE "C" NOT NULL,
  document TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (record_id, revision)
);
CREATE INDEX revision_by_change ON revision (change_id, record_id, revision);

CREATE TABLE property (
  name TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  record_id BIGINT NOT NULL,
  PRIMARY KEY (name, value, record_id)
);

CREATE TABLE identifier (
  kind TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  edition_id BIGINT NOT NULL,
  PRIMARY KEY (kind, value, edition_id)
);

CREATE TABLE edition_language (
  language TEXT COLLATE "C" NOT NULL,
  work_id BIGINT NOT NULL,
  edition_id BIGINT NOT NULL,
  open BIGINT NOT NULL,
  ocaid TEXT COLLATE "C",
  PRIMARY KEY (language, work_id, edition_id)
);

CREATE TABLE sequence (
  name TEXT COLLATE "C" PRIMARY KEY,
  value BIGINT NOT NULL
);

CREATE TABLE projection (
  name TEXT COLLATE "C" PRIMARY KEY,
  change_id BIGINT NOT NULL
);

CREATE TABLE item (
  ocaid TEXT COLLATE "C" PRIMARY KEY,
  collections TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  access_restricted BIGINT NOT NULL DEFAULT 0,
  copies BIGINT NOT NULL DEFAULT 1,
  browse BIGINT NOT NULL DEFAULT 0,
  mediatype TEXT COLLATE "C" NOT NULL DEFAULT 'texts',
  imagecount BIGINT,
  updated TEXT COLLATE "C" NOT NULL
);

CREATE TABLE lookup (
  identifier TEXT COLLATE "C" PRIMARY KEY,
  isbn TEXT COLLATE "C",
  asin TEXT COLLATE "C",
  priority TEXT COLLATE "C" NOT NULL CHECK (priority IN ('high', 'low')),
  requested TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'done', 'failed'))
);
CREATE INDEX lookup_by_status ON lookup (status, priority, requested, identifier);
CREATE INDEX change_by_created ON change (created, id);
CREATE INDEX record_user_folded ON record (lower(key), id) WHERE type = '/type/user';
CREATE INDEX change_by_author ON change (author, created, id) WHERE author IS NOT NULL;
CREATE INDEX change_by_kind ON change (kind, created, id);
CREATE INDEX change_by_bot ON change (author, id) WHERE bot = 1;

CREATE TABLE change_data (
  name TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  change_id BIGINT NOT NULL,
  PRIMARY KEY (name, value, change_id)
);

CREATE TABLE service_state (
  name TEXT COLLATE "C" PRIMARY KEY,
  value TEXT COLLATE "C" NOT NULL,
  changed TEXT COLLATE "C" NOT NULL,
  by TEXT COLLATE "C"
);

CREATE TABLE merge_job (
  id BIGINT PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('author', 'work')),
  master TEXT COLLATE "C" NOT NULL,
  duplicates TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed')),
  problem TEXT COLLATE "C",
  author TEXT COLLATE "C" NOT NULL,
  ip TEXT COLLATE "C",
  request TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  updated TEXT COLLATE "C" NOT NULL
);
CREATE INDEX merge_job_open ON merge_job (updated, id) WHERE state = 'open';

CREATE TABLE merge_request (
  id BIGINT PRIMARY KEY,
  title TEXT COLLATE "C",
  submitter TEXT COLLATE "C" NOT NULL,
  reviewer TEXT COLLATE "C",
  url TEXT COLLATE "C" NOT NULL,
  mr_type BIGINT NOT NULL CHECK (mr_type IN (1, 2)),
  status BIGINT NOT NULL CHECK (status IN (0, 1, 2)),
  comments TEXT COLLATE "C" NOT NULL DEFAULT '{"comments":[]}',
  created TEXT COLLATE "C" NOT NULL,
  updated TEXT COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX merge_request_url ON merge_request (url) WHERE status <> 0;
CREATE INDEX merge_request_by_status ON merge_request (status, updated, id);
CREATE INDEX change_by_ip ON change (ip, created, id) WHERE ip IS NOT NULL;
CREATE INDEX list_by_owner ON record (rtrim(rtrim(key, 'L'), '0123456789'), last_modified DESC, key, id)
WHERE type = '/type/list';

CREATE TABLE import_batch (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL UNIQUE,
  submitter TEXT COLLATE "C",
  submit_time TEXT COLLATE "C" NOT NULL,
  object TEXT COLLATE "C",
  digest TEXT COLLATE "C",
  size BIGINT,
  position BIGINT NOT NULL DEFAULT 0,
  records BIGINT NOT NULL DEFAULT 0,
  skipped BIGINT NOT NULL DEFAULT 0,
  state TEXT COLLATE "C" NOT NULL DEFAULT 'ready' CHECK (state IN ('splitting', 'ready', 'failed')),
  problem TEXT COLLATE "C",
  updated TEXT COLLATE "C" NOT NULL,
  format TEXT COLLATE "C"
);
CREATE INDEX import_batch_by_submitter ON import_batch (submitter, id);
CREATE INDEX import_batch_by_state ON import_batch (state, updated, id);

CREATE TABLE import_item (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  batch_id BIGINT NOT NULL REFERENCES import_batch (id),
  added_time TEXT COLLATE "C" NOT NULL,
  import_time TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN
    ('needs_review', 'staged', 'pending', 'processing', 'created', 'modified', 'matched', 'found', 'failed')),
  error TEXT COLLATE "C",
  ia_id TEXT COLLATE "C" NOT NULL,
  data TEXT COLLATE "C",
  ol_key TEXT COLLATE "C",
  comments TEXT COLLATE "C",
  submitter TEXT COLLATE "C",
  place BIGINT,
  claim TEXT COLLATE "C",
  claimed TEXT COLLATE "C",
  claimed_from TEXT COLLATE "C",
  attempts BIGINT NOT NULL DEFAULT 0,
  losses BIGINT NOT NULL DEFAULT 0,
  due TEXT COLLATE "C",
  sent TEXT COLLATE "C" NOT NULL DEFAULT '',
  UNIQUE (batch_id, ia_id)
);
CREATE INDEX import_item_by_status ON import_item (status, id);
CREATE INDEX import_item_by_ia_id ON import_item (ia_id, id);
CREATE INDEX import_item_by_added ON import_item (added_time, status, id);
CREATE INDEX import_item_by_import ON import_item (import_time, status, id) WHERE import_time IS NOT NULL;
CREATE INDEX import_item_by_submitter ON import_item (submitter, id);
CREATE INDEX import_item_by_batch_status ON import_item (batch_id, status, id);
CREATE INDEX import_item_by_batch_added ON import_item (batch_id, added_time, id);
CREATE INDEX import_item_by_batch_import ON import_item (batch_id, import_time, id);
CREATE INDEX import_item_claimed ON import_item (claimed, id) WHERE status = 'processing';
CREATE INDEX import_item_sent ON import_item (sent, id) WHERE status = 'pending';
CREATE INDEX import_item_failed ON import_item (error, import_time, id) WHERE status = 'failed';

CREATE TABLE cover (
  id BIGINT PRIMARY KEY,
  category TEXT COLLATE "C" NOT NULL CHECK (category IN ('a', 'b', 'w')),
  olid TEXT COLLATE "C",
  source_url TEXT COLLATE "C",
  author TEXT COLLATE "C",
  ip TEXT COLLATE "C",
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'stored', 'failed')),
  problem TEXT COLLATE "C",
  attempts BIGINT NOT NULL DEFAULT 0,
  due TEXT COLLATE "C",
  content_type TEXT COLLATE "C",
  bytes BIGINT,
  width BIGINT,
  height BIGINT,
  created TEXT COLLATE "C" NOT NULL,
  updated TEXT COLLATE "C" NOT NULL,
  renditions TEXT COLLATE "C" CHECK (renditions IN ('made', 'none')),
  deleted TEXT COLLATE "C",
  removal_due TEXT COLLATE "C",
  CHECK (state <> 'pending' OR (source_url IS NOT NULL AND due IS NOT NULL)),
  CHECK (state <> 'stored' OR (content_type IS NOT NULL AND bytes > 0 AND width > 0 AND height > 0))
);
CREATE INDEX cover_pending ON cover (due, id) WHERE state = 'pending';
CREATE INDEX cover_by_olid ON cover (olid, id) WHERE olid IS NOT NULL;

CREATE TABLE index_backfill (
  name TEXT COLLATE "C" PRIMARY KEY,
  position BIGINT NOT NULL
);
CREATE INDEX cover_unrendered ON cover (id) WHERE state = 'stored' AND renditions IS NULL;
CREATE INDEX cover_removal ON cover (removal_due, id) WHERE removal_due IS NOT NULL;
CREATE INDEX cover_listed ON cover (category, updated, id) WHERE state = 'stored' AND deleted IS NULL;

CREATE TABLE cover_log (
  id BIGINT PRIMARY KEY,
  cover_id BIGINT NOT NULL,
  action TEXT COLLATE "C" NOT NULL CHECK (action IN ('new', 'touch', 'delete')),
  timestamp TEXT COLLATE "C" NOT NULL
);
CREATE INDEX cover_log_by_cover ON cover_log (cover_id, id);

CREATE TABLE dump (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('full', 'delta')),
  date TEXT COLLATE "C" NOT NULL,
  after_change BIGINT NOT NULL,
  change_id BIGINT NOT NULL,
  begun TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'published', 'failed', 'retired')),
  stage TEXT COLLATE "C" NOT NULL,
  position TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  step BIGINT NOT NULL DEFAULT 0,
  lease TEXT COLLATE "C",
  lease_until TEXT COLLATE "C",
  attempts BIGINT NOT NULL DEFAULT 1,
  failures BIGINT NOT NULL DEFAULT 0,
  problem TEXT COLLATE "C",
  updated TEXT COLLATE "C" NOT NULL,
  published TEXT COLLATE "C",
  UNIQUE (kind, date)
);
CREATE INDEX dump_unfinished ON dump (updated, id) WHERE stage <> 'done';
CREATE INDEX dump_published ON dump (kind, date, id) WHERE state = 'published';

CREATE TABLE dump_member (
  dump_id BIGINT NOT NULL REFERENCES dump (id) ON DELETE CASCADE,
  step BIGINT NOT NULL,
  place BIGINT NOT NULL,
  section TEXT COLLATE "C" NOT NULL,
  object TEXT COLLATE "C" NOT NULL,
  bytes BIGINT NOT NULL,
  lines BIGINT NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (dump_id, step, place)
);

CREATE TABLE dump_file (
  name TEXT COLLATE "C" PRIMARY KEY,
  dump_id BIGINT NOT NULL REFERENCES dump (id) ON DELETE CASCADE,
  place BIGINT NOT NULL,
  object TEXT COLLATE "C" NOT NULL,
  bytes BIGINT NOT NULL,
  lines BIGINT NOT NULL,
  digest TEXT COLLATE "C" NOT NULL
);
CREATE INDEX dump_file_by_dump ON dump_file (dump_id, place, name);

-- What the migrations of migrations/catalog leave in an empty catalog.
INSERT INTO projection (name, change_id)
VALUES ('answers', 0), ('counts', 0), ('patron-works', 0), ('search', 0), ('search-rebuild', 0);
INSERT INTO sequence (name, value) VALUES ('cover', 100000000);

-- What comes without a number has the one after the last, as in SQLite where nothing says AUTOINCREMENT: without gaps.
CREATE FUNCTION carrel.number_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT coalesce(max(id), 0) + 1 FROM %I', TG_TABLE_NAME) INTO new.id;
  RETURN new;
END $$;
CREATE TRIGGER change_numbered BEFORE INSERT ON change FOR EACH ROW WHEN (new.id IS NULL)
EXECUTE FUNCTION carrel.number_row();
CREATE TRIGGER merge_job_numbered BEFORE INSERT ON merge_job FOR EACH ROW WHEN (new.id IS NULL)
EXECUTE FUNCTION carrel.number_row();
CREATE TRIGGER merge_request_numbered BEFORE INSERT ON merge_request FOR EACH ROW WHEN (new.id IS NULL)
EXECUTE FUNCTION carrel.number_row();
CREATE TRIGGER cover_log_numbered BEFORE INSERT ON cover_log FOR EACH ROW WHEN (new.id IS NULL)
EXECUTE FUNCTION carrel.number_row();

CREATE FUNCTION carrel.note_change_data() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_data (name, value, change_id)
  SELECT member.key, element.value, new.id
  FROM pg_catalog.json_each(carrel.parsed(new.data)) member, carrel.json_each(member.value) element
  WHERE json_typeof(member.value) <> 'object' AND element.type IN ('text', 'integer') AND octet_length(element.value) <= 2048
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER change_data_of_change AFTER INSERT ON change FOR EACH ROW WHEN (new.data <> '{}')
EXECUTE FUNCTION carrel.note_change_data();

-- An index takes 2,704 bytes here: what is longer, as 2,048 characters may be, is not found by value.
CREATE FUNCTION carrel.leave_out() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER property_fits BEFORE INSERT ON property FOR EACH ROW
WHEN (octet_length(new.name) + octet_length(new.value) > 2600) EXECUTE FUNCTION carrel.leave_out();

CREATE FUNCTION carrel.log_cover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cover_log (cover_id, action, timestamp)
  VALUES (new.id, TG_ARGV[0], CASE TG_ARGV[0] WHEN 'delete' THEN new.deleted ELSE new.updated END);
  RETURN NULL;
END $$;
CREATE TRIGGER cover_logged AFTER INSERT ON cover FOR EACH ROW WHEN (new.state = 'stored')
EXECUTE FUNCTION carrel.log_cover('new');
CREATE TRIGGER cover_stored_logged AFTER UPDATE OF state ON cover FOR EACH ROW
WHEN (new.state = 'stored' AND old.state <> 'stored') EXECUTE FUNCTION carrel.log_cover('new');
CREATE TRIGGER cover_deleted_logged AFTER UPDATE OF deleted ON cover FOR EACH ROW
WHEN (new.deleted IS NOT NULL AND old.deleted IS NULL) EXECUTE FUNCTION carrel.log_cover('delete');
