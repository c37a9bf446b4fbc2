-- Functions and operators of SQLite that the statements of src/db use, with its meaning; see src/db/postgres-sql.ts.
-- Most are of one expression, which PostgreSQL puts in place of the call, so that they cost what the expression costs and
-- leave indexes usable.
CREATE SCHEMA IF NOT EXISTS carrel;

-- Statements find tables and functions by their bare names: this role does, whatever pool its connections come from.
DO $$
BEGIN
  EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET search_path = public, carrel', current_database());
  -- Lists in parameters are taken to have a thousand elements, so that statements of a millisecond seem worth a second of compiling.
  EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET jit = off', current_database());
  -- For the same reason: so many look-ups in an index seem worse than reading a table, on disks that turn.
  EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET random_page_cost = 1.1', current_database());
END $$;
SET search_path = public, carrel;

-- What a database says of itself, under the names that it has in D1.
CREATE VIEW carrel.d1_migrations AS SELECT name FROM carrel.migration;
CREATE VIEW carrel.sqlite_master AS
SELECT 'table' AS type, relname::text AS name FROM pg_class
WHERE relkind IN ('r', 'v') AND relname <> 'sqlite_master' AND relnamespace IN ('public'::regnamespace, 'carrel'::regnamespace);

-- A JSON text as PostgreSQL takes it: texts of PostgreSQL have no U+0000, nor halves of surrogate pairs.
CREATE FUNCTION carrel.mended(document TEXT) RETURNS JSON LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN regexp_replace(regexp_replace(document,
    '((?:^|[^\\])(?:\\\\)*)\\u(?:0000|d[89ab][0-9a-f]{2}(?!\\ud[c-f]))', '\1\\ufffd', 'gi'),
    '((?:^|[^\\])(?:\\\\)*)(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}', '\1\\ufffd', 'gi')::json;
END $$;
CREATE FUNCTION carrel.parsed(document TEXT) RETURNS JSON LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN strpos(document, '\u0000') + strpos(document, '\ud') = 0 THEN document::json ELSE carrel.mended(document) END
$$;

-- '$.works[0].key' or a bare name, as PostgreSQL writes it: {works,0,key}.
CREATE FUNCTION carrel.path(path TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN path = '$' THEN '{}'
    WHEN path LIKE '$%' THEN (
      SELECT array_agg(coalesce(part[1], part[2], part[3]) ORDER BY place)
      FROM regexp_matches(substr(path, 2), '\."([^"]*)"|\.([^.["]+)|\[(\d+)\]', 'g') WITH ORDINALITY AS found (part, place))
    ELSE ARRAY[path]
  END
$$;
CREATE FUNCTION carrel.json_part(document TEXT, path TEXT[]) RETURNS JSON LANGUAGE sql IMMUTABLE AS $$
  SELECT carrel.parsed(document) #> path
$$;
CREATE FUNCTION carrel.json_value(document TEXT, path TEXT[]) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT carrel.parsed(document) #>> path
$$;
CREATE OPERATOR carrel.#> (LEFTARG = TEXT, RIGHTARG = TEXT[], FUNCTION = carrel.json_part);
CREATE OPERATOR carrel.#>> (LEFTARG = TEXT, RIGHTARG = TEXT[], FUNCTION = carrel.json_value);

-- With a path that is bound, as SQLite writes it.
CREATE FUNCTION carrel.json_part_at(document TEXT, path TEXT) RETURNS JSON LANGUAGE sql IMMUTABLE AS $$
  SELECT carrel.parsed(document) #> carrel.path(path)
$$;
CREATE OPERATOR carrel.-> (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = carrel.json_part_at);

-- Names of types as SQLite has them; NULL for what is not there.
CREATE FUNCTION carrel.type_name(element JSON) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE json_typeof(element)
    WHEN 'string' THEN 'text'
    WHEN 'boolean' THEN element::text
    WHEN 'number' THEN CASE WHEN element::text ~ '^-?\d{1,18}$' THEN 'integer' ELSE 'real' END
    ELSE json_typeof(element)
  END
$$;
CREATE FUNCTION carrel.json_type(document TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT carrel.type_name(carrel.parsed(document) #> carrel.path(path))
$$;
CREATE FUNCTION carrel.json_array_length(list JSON) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN json_typeof(list) = 'array' THEN pg_catalog.json_array_length(list)::bigint WHEN list IS NULL THEN NULL ELSE 0 END
$$;
CREATE FUNCTION carrel.json_array_length(document TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT carrel.json_array_length(carrel.parsed(document))
$$;
CREATE FUNCTION carrel.json_array_length(document TEXT, path TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT carrel.json_array_length(carrel.parsed(document) #> carrel.path(path))
$$;

-- Elements of a list. One that is not a list is its only element; NULL, and what is not there, has none.
-- `element` has no counterpart in SQLite: the printer writes it where a statement takes parts of `value`.
CREATE FUNCTION carrel.json_each(list JSON)
RETURNS TABLE (key BIGINT, value TEXT, atom TEXT, type TEXT, element JSON) LANGUAGE sql IMMUTABLE AS $$
  SELECT place - 1, item #>> '{}', CASE WHEN json_typeof(item) NOT IN ('array', 'object') THEN item #>> '{}' END,
    carrel.type_name(item), item
  FROM json_array_elements(CASE json_typeof(list) WHEN 'array' THEN list ELSE json_build_array(list) END)
    WITH ORDINALITY AS listed (item, place)
  WHERE list IS NOT NULL
$$;
CREATE FUNCTION carrel.json_each(list TEXT)
RETURNS TABLE (key BIGINT, value TEXT, atom TEXT, type TEXT, element JSON) LANGUAGE sql IMMUTABLE AS $$
  SELECT e.* FROM carrel.json_each(carrel.parsed(list)) e
$$;
CREATE FUNCTION carrel.json_each(document TEXT, path TEXT)
RETURNS TABLE (key BIGINT, value TEXT, atom TEXT, type TEXT, element JSON) LANGUAGE sql IMMUTABLE AS $$
  SELECT e.* FROM carrel.json_each(carrel.parsed(document) #> carrel.path(path)) e
$$;

-- The greater and the lesser of two; NULL when one of them is.
CREATE FUNCTION carrel.max(BIGINT, BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN greatest($1, $2) END
$$;
CREATE FUNCTION carrel.max(TEXT, TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN greatest($1 COLLATE "C", $2 COLLATE "C") END
$$;
CREATE FUNCTION carrel.min(BIGINT, BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN least($1, $2) END
$$;
CREATE FUNCTION carrel.instr(text TEXT, part TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT strpos(text, part)::bigint
$$;

-- `text GLOB pattern`: `*` is any text, `?` any character; `[*]`, `[?]` and sets of letters.
CREATE FUNCTION carrel.glob(text TEXT, pattern TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
  SELECT text ~ ('^' || replace(replace(replace(replace(replace(
    regexp_replace(replace(replace(replace(pattern, '[[]', e'\003'), '[*]', e'\001'), '[?]', e'\002'), '([.+(){}|\\^$])', '\\\1', 'g'),
    '*', '.*'), '?', '.'), e'\001', '\*'), e'\002', '\?'), e'\003', '\[') || '$')
$$;
CREATE OPERATOR carrel.~~~ (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = carrel.glob);

CREATE FUNCTION carrel.json_list(elements anycompatiblearray) RETURNS JSON LANGUAGE sql IMMUTABLE AS $$
  SELECT to_json(elements)
$$;
CREATE AGGREGATE carrel.json_group_array(anycompatible) (
  SFUNC = array_append, STYPE = anycompatiblearray, INITCOND = '{}', FINALFUNC = carrel.json_list
);

-- `->>` gives texts alone.
CREATE FUNCTION carrel.typeof(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN value IS NULL THEN 'null' ELSE 'text' END
$$;
CREATE FUNCTION carrel.json_quote(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(to_json(value)::text, 'null')
$$;
-- An object without one of its members.
CREATE FUNCTION carrel.json_remove(document TEXT, path TEXT) RETURNS JSON LANGUAGE sql IMMUTABLE AS $$
  SELECT json_object_agg(key, value ORDER BY place)
  FROM pg_catalog.json_each(carrel.parsed(document)) WITH ORDINALITY AS member (key, value, place)
  WHERE key <> (carrel.path(path))[1]
$$;
-- A value and all that is in it.
CREATE FUNCTION carrel.json_tree(document JSON) RETURNS TABLE (type TEXT, atom TEXT) LANGUAGE sql IMMUTABLE AS $$
  WITH RECURSIVE part (element) AS (
    SELECT document WHERE document IS NOT NULL
    UNION ALL
    SELECT inner_part.value FROM part CROSS JOIN LATERAL (
      SELECT value FROM json_array_elements(CASE json_typeof(element) WHEN 'array' THEN element ELSE '[]' END)
      UNION ALL
      SELECT value FROM pg_catalog.json_each(CASE json_typeof(element) WHEN 'object' THEN element ELSE '{}' END)) inner_part)
  SELECT carrel.type_name(element),
    CASE WHEN json_typeof(element) NOT IN ('array', 'object') THEN element #>> '{}' END
  FROM part
$$;

-- What records are sorted by: nothing, then numbers, then texts, as SQLite sorts them.
CREATE TYPE carrel.sort_key AS (rank INT, number NUMERIC, text TEXT COLLATE "C");
CREATE FUNCTION carrel.json_extract(document TEXT, path TEXT) RETURNS carrel.sort_key LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  found JSON := carrel.parsed(document) #> carrel.path(path);
BEGIN
  RETURN CASE coalesce(json_typeof(found), 'null')
    WHEN 'null' THEN (0, NULL, NULL)::carrel.sort_key
    WHEN 'boolean' THEN (1, (found::text = 'true')::int, NULL)::carrel.sort_key
    WHEN 'number' THEN (1, found::text::numeric, NULL)::carrel.sort_key
    ELSE (2, NULL, found #>> '{}')::carrel.sort_key
  END;
END $$;
