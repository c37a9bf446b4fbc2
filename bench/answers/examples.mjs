/** The examples of the interface: a table in Markdown with a request for each route, and the records that they name. */
import { readFile } from "node:fs/promises";
import { BEGIN_MS } from "./steady.mjs";
import { FORM_TYPE, HTML, JSON_TYPE, asked } from "./make.mjs";

/** @import { Asked } from "./lines.mjs" */

const ROW = /^\| (?:GET|POST|PUT|DELETE) \|/;
/** Who calls where the example names nobody, by access level. @type {Record<string, string>} */
const CALLERS = {
  session: "patron",
  "session-page": "patron",
  librarian: "librarian",
  "super-librarian": "openlibrary",
  maintainer: "admin",
  admin: "admin",
  writer: "openlibrary",
  importer: "openlibrary",
  operator: "operator",
};
const RECORD = String.raw`/(OL\d+[A-Z])"`;
const ROLE = { type: { key: "/type/author_role" }, author: { key: "/authors/OL101A" } };
const WORKS = [{ key: "/works/{{otherWork}}" }];
const EDITION = { type: { key: "/type/edition" }, title: "To be changed", works: WORKS };
/**
 * Records by the names that the examples have for them: who makes them, how, of what. @type {[name: string, by:
 * string, target: string, document: object][]}
 */
const RECORDS = [
  [
    "work",
    "openlibrary",
    "/api/new.json",
    { type: { key: "/type/work" }, title: "To be deleted", authors: [ROLE] },
  ],
  [
    "otherWork",
    "openlibrary",
    "/api/new.json",
    { type: { key: "/type/work" }, title: "To be changed", authors: [ROLE] },
  ],
  ["author", "openlibrary", "/api/new.json", { type: { key: "/type/author" }, name: "To be merged" }],
  ["edition", "openlibrary", "/api/new.json", EDITION],
  ["oldEdition", "openlibrary", "/api/new.json", EDITION],
  ["oldestEdition", "openlibrary", "/api/new.json", EDITION],
  [
    "numbered",
    "openlibrary",
    "/api/new.json",
    { ...EDITION, oclc_numbers: ["987654321"], lccn: ["2001000001"] },
  ],
  ["list", "patron", "/people/patron/lists.json", { name: "list", seeds: ["/works/OL101W"] }],
  ["oldList", "patron", "/people/patron/lists.json", { name: "oldList", seeds: ["/works/OL101W"] }],
  [
    "communityList",
    "admin",
    "/lists/add",
    { type: { key: "/type/list" }, name: "Everybody's", seeds: [{ key: "/works/OL101W" }] },
  ],
  [
    "oldCommunityList",
    "admin",
    "/lists/add",
    { type: { key: "/type/list" }, name: "Everybody's", seeds: [{ key: "/works/OL101W" }] },
  ],
];

/** Makes the records that the examples, and other requests, name. @returns {Asked[]} */
export function preparations() {
  const part = "preparations";
  const library = { key: "/libraries/city", type: { key: "/type/library" }, name: "City library" };
  const visit = { in: /** @type {const} */ ("answer"), match: String.raw`"id":\s*"?(\d+)` };
  return [
    ...RECORDS.map(([name, by, target, document]) => {
      const keep = { [name]: { in: /** @type {const} */ ("answer"), match: RECORD } };
      return asked({ part, by, target, keep }, document);
    }),
    asked({ part, by: "openlibrary", method: "PUT", target: "/libraries/city.json" }, library),
    asked(
      { part, by: "patron", target: "/works/OL101W/check-ins.json", keep: { checkIn: visit } },
      { event_type: 1, year: 2026 },
    ),
    asked({ part, by: "operator", target: "/system/dumps" }, {}),
  ];
}

/**
 * The requests of a table: method, path, state, access, example, status. @param {string} file @returns
 * {Promise<Asked[]>}
 */
export async function exampleRequests(file) {
  const text = await readFile(file, "utf8");
  const rows = text.split("\n").filter((line) => ROW.test(line));
  return rows.map((row) =>
    exampleOf(row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, "|"))),
  );
}

/** @param {readonly string[]} cells @returns {Asked} */
function exampleOf([, method = "", , , access = "", example = "", status = ""]) {
  const found = /^`(?:(\w+): )?(\/\S*?)(?: (.*))?`$/.exec(example);
  if (found === null) throw new Error(`no example: ${example}`);
  const [, role, target = "", body] = found;
  const about = {
    part: "examples",
    by: role ?? CALLERS[access] ?? "anonymous",
    method,
    target: named(target),
  };
  /** @type {Record<string, string>} */
  const accept = status.endsWith("page") ? { Accept: HTML } : {};
  if (body === undefined) return asked({ ...about, headers: accept });
  return asked({ ...about, headers: { ...accept, "Content-Type": typeOf(body) } }, named(body));
}

/** @param {string} text */
function named(text) {
  const today = new Date(BEGIN_MS).toISOString().slice(0, 10);
  return text.replaceAll("$today", today).replace(/\$([a-zA-Z]+)/g, "{{$1}}");
}

/** @param {string} body */
function typeOf(body) {
  if (/^[{[]/.test(body)) return JSON_TYPE;
  return body.startsWith("<") ? "application/xml" : FORM_TYPE;
}
