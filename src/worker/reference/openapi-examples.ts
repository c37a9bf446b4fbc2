import { BODY_EXAMPLES } from "./body-examples.ts";

/** Values of parameters and members by name. They are those of the starter catalog. */
const VALUES: Readonly<Record<string, string>> = {
  archive_host: "archive.org",
  author_id: "101",
  batch_name: "A batch",
  bibkeys: "ISBN:9780141439518,OLID:OL101M",
  bookshelf_id: "1",
  brief_or_full: "brief",
  bucket: "covers",
  change: "1",
  check_in_id: "1",
  code: "0123456789abcdef0123456789abcdef",
  date: "2026-11-29",
  day: "29",
  description: "Books for the summer",
  document: "note/1",
  edition_id: "101",
  email: "patron@example.com",
  event_type: "3",
  file: "file.epub",
  filename: "athena.js",
  format: "bib",
  id: "1",
  identifier: "starter-bleak-2003",
  ids: "OL101W",
  idtype: "isbn",
  idval: "9780141439518",
  ip: "local",
  isbn: "9780141439518",
  item: "starter-bleak-2003",
  keys: '["/works/OL101W"]',
  key: "fiction",
  kind: "update",
  kind_or_year: "update",
  leaf: "5",
  limit: "2",
  list_id: "OL101L",
  master: "/works/OL101W",
  metadataPrefix: "oai_dc",
  mode: "daily",
  month: "11",
  name: "city",
  number: "1",
  observation: "mood",
  ocaid: "starter-bleak-2003",
  olid: "OL101M",
  operation: "searchRetrieve",
  password: "patron",
  path: "logo.svg",
  period: "daily",
  place: "starter-bleak-2003/file.txt",
  prefix: "pri",
  publisher_id: "1",
  q: "pride",
  query: "pride",
  queries: '{"q0":{"query":"Emma"}}',
  rating: "4",
  record: "/works/OL101W",
  req: "isbn:9780141439518",
  resource_id: "starter-bleak-2003",
  rest: "nothing",
  scanClause: "dc.title=pride",
  seeds: "/works/OL101W",
  series_id: "101",
  shelf: "want-to-read",
  slug: "a-title",
  store: "catalog",
  table: "record",
  tag: "search",
  title: "Emma",
  topic: "romance",
  url: "https://covers.openlibrary.org/b/id/1.jpg",
  username: "patron",
  value: "9780141439518",
  verb: "ListRecords",
  work_id: "101",
  year: "2026",
};

/** Values that differ from those above, by a pattern of the path. The first that matches counts. */
const BY_PATH: readonly (readonly [path: RegExp, values: Readonly<Record<string, string>>])[] = [
  [/^\/docs\/run/, { operation: "search" }],
  [/^\/opds\/books/, { edition_id: "130" }],
  [/^\/site\/colors\//, { light: "175a45", dark: "7fcfb0" }],
  [/^\/site\/logo\//, { file: "0123456789abcdef.png" }],
  [/^\/providers\/booklogr/, { identifier: "9780141439518" }],
  [/XX\{list_id\}/, { list_id: "101" }],
  [/\/daisy/, { olid: "OL130M" }],
  [/\/borrow/, { olid: "OL130M", edition_id: "130" }],
  [/^\/oclc\//, { value: "987654321" }],
  [/^\/lccn\//, { value: "2001000001" }],
  [/^\/ia\//, { value: "starter-bleak-2003" }],
  [/^\/[abw]\/\{key\}/, { key: "olid", value: "OL101M-M" }],
  [/^\/stats\/lending/, { kind: "collections", value: "inlibrary" }],
  [/^\/sitemaps/, { kind: "works" }],
  [/^\/publishers/, { key: "Penguin_Classics" }],
  [/\/books\/\{key\}|^\/opds\/shelves/, { key: "already-read" }],
  [/^\/reconcile\/suggest/, { kind: "entity" }],
  [/^\/reconcile/, { id: "OL101W" }],
  [/^\/show-/, { rest: "marc_x/y.mrc:0:10" }],
  [/^\/data/, { name: "ol_dump_latest.txt.gz" }],
  [/^\/tags/, { tag: "fiction" }],
  [/^\/unapi/, { id: "/works/OL101W" }],
  [/^\/lists|^\/people\/\{username\}\/(?:lists|series)|^\/series/, { olid: "OL101L" }],
  [/^\/\{key/, { key: "works/OL101W" }],
];

type Schema = Readonly<Record<string, unknown>>;

/** Returns an example value of a parameter, of the type of its schema; undefined if none is needed. */
export function exampleOfParameter(path: string, name: string, schema: Schema): unknown {
  const special = BY_PATH.find(([pattern, values]) => pattern.test(path) && name in values)?.[1];
  const { enum: choices, type, default: usual, items } = schema;
  if (type === "array") return [exampleOfParameter(path, name, membersOf(items))];
  const text = special?.[name] ?? VALUES[name];
  if (Array.isArray(choices)) return choices.includes(text) ? text : choices[0];
  if (text === undefined) return usual;
  if (type === "integer" || type === "number") return Number.isFinite(Number(text)) ? Number(text) : usual;
  return text;
}

/** Returns an example of the body of an operation: its own, or one that follows from the schema. */
export function exampleOfBody(id: string, schema: Schema): unknown {
  return BODY_EXAMPLES[id] ?? exampleOfSchema(schema);
}

/** Returns the members that are required, or if none is those with a value above. `name` is that of a member. */
function exampleOfSchema(schema: Schema, name = "", root: Schema = schema): unknown {
  const { $ref, $defs = root["$defs"], anyOf, enum: choices, type, properties, required, items } = schema;
  if (typeof $ref === "string") {
    return exampleOfSchema(membersOf(membersOf($defs)[$ref.replace(/^.*\//, "")]), name, root);
  }
  if ("const" in schema) return schema["const"];
  const text = VALUES[name];
  if (Array.isArray(choices)) return choices.includes(text) ? text : choices[0];
  if (Array.isArray(anyOf)) return exampleOfSchema(membersOf(anyOf[0]), name, root);
  switch (type) {
    case "array":
      return [exampleOfSchema(membersOf(items), name, root)];
    case "object": {
      const needed: readonly unknown[] = Array.isArray(required) ? required : [];
      const members = Object.entries(membersOf(properties)).filter(([member]) =>
        needed.length > 0 ? needed.includes(member) : member in VALUES,
      );
      return Object.fromEntries(
        members.map(([member, value]) => [member, exampleOfSchema(membersOf(value), member, root)]),
      );
    }
    case "integer":
    case "number":
      return Number(text ?? 1) || 1;
    case "boolean":
      return true;
    default:
      return text ?? "…";
  }
}

function membersOf(value: unknown): Schema {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
