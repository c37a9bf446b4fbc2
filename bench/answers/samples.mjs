/** Values for the parameters of paths: records that are there, and ones that are not. */

/** @type {Record<string, string>} */
const USUAL = {
  edition_id: "101",
  work_id: "101",
  author_id: "101",
  publisher_id: "1",
  olid: "OL130M",
  username: "patron",
  slug: "Pride_and_Prejudice",
  ocaid: "starter-bleak-2003",
  item: "starter-bleak-2003",
  resource_id: "starter-bleak-2003",
  place: "starter-bleak-2003/meta.xml",
  brief_or_full: "brief",
  req: "olid:OL101M",
  idtype: "olid",
  idval: "OL101M",
  check_in_id: "{{checkIn}}",
  shelf: "want-to-read",
  period: "daily",
  mode: "now",
  year: "2030",
  month: "11",
  day: "22",
  kind: "update",
  kind_or_year: "2030",
  change: "1",
  date: "2030-11-22",
  ip: "198.18.0.1",
  code: "abcdef0123456789",
  id: "1",
  number: "1",
  leaf: "5",
  tag: "fiction",
  suffix: "json",
  file: "a.epub",
  filename: "athena.js",
  archive_host: "archive.org",
  name: "city",
  key: "fiction",
  value: "1",
  rest: "nothing",
  path: "authors/OL101A",
};
/**
 * Where a value depends on the path that it is in; the later one counts. @type {[path: RegExp, values: Record<string,
 * string>][]}
 */
const SPECIAL = [
  [/^\/people\/.*\/lists\//, { list_id: "{{list}}", olid: "{{list}}" }],
  [/^\/lists\//, { list_id: "{{communityList}}", olid: "{{communityList}}" }],
  [/\/series\//, { list_id: "OL101L", olid: "OL101L" }],
  [/^\/isbn/i, { value: "9780141439723" }],
  [/^\/oclc/i, { value: "987654321" }],
  [/^\/lccn/i, { value: "2001000001" }],
  [/^\/ia\//i, { value: "starter-bleak-2003" }],
  [/^(?:\/covers)?\/[abw]\//, { key: "id" }],
  [/^(?:\/covers)?\/[abw]\/.*jpg$/, { key: "id", value: "1-M" }],
  [/^\/data\//, { name: "ol_dump_latest.txt.gz" }],
  [/^\/libraries\/stats/, { name: "libraries" }],
  [/^\/system\/imports\//, { name: "a/file.mrc" }],
  [/^\/(?:account|people).*\/books\//, { key: "want-to-read", rest: "want-to-read" }],
  [/^\/publishers\//, { key: "Penguin_Classics" }],
  [/^\/recentchanges\/\{rest/, { rest: "add-book" }],
  [/^\/sitemaps\//, { kind: "works" }],
  [/^\/stats\/lending\//, { kind: "collection", value: "inlibrary" }],
  [/^\/\{key/, { key: "languages/eng.json" }],
];
/** Nothing is called so. @type {Record<string, string>} */
const MISSING = {
  edition_id: "999999",
  work_id: "999999",
  author_id: "999999",
  publisher_id: "999999",
  list_id: "OL999999L",
  olid: "OL999999L",
  username: "nobody-here",
  ocaid: "nothing-here",
  item: "nothing-here",
  year: "0",
  id: "999999",
  key: "nothing/here",
  value: "nothing",
  name: "nothing",
  date: "x",
  period: "x",
  mode: "x",
};

/**
 * The path of a route, with records that are there, or are not; undefined when nothing could be missing.
 * @param {string} path as the table of routes has it
 * @param {{ isMissing?: boolean }} [options]
 */
export function samplePath(path, { isMissing = false } = {}) {
  const special = SPECIAL.filter(([expression]) => expression.test(path)).map(([, values]) => values);
  const known = { ...USUAL, ...Object.assign({}, ...special) };
  const values = isMissing ? { ...known, ...MISSING } : known;
  const names = [...path.matchAll(/\{(\w+)/g)].map(([, name = ""]) => name);
  if (isMissing && !names.some((name) => name in MISSING)) return undefined;
  return path
    .replace(/XX\{list_id\}L/, values["list_id"] ?? "")
    .replace(/XX\{(\w+)\}/g, (_all, name) => `OL${values[name]}`)
    .replace(/\{(\w+)(?::path)?\}(?!\})/g, (_all, name) => values[name] ?? "x");
}
