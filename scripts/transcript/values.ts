// Values that the requests of a transcript are made of. `$name` is a record of the world, `$code` the code of the newest
// mail.
import { readFileSync } from "node:fs";
import path from "node:path";

/** Usernames of the clients with a session; the others have a token or nothing. */
export const USERNAMES = {
  owner: "patron",
  other: "reader",
  librarian: "librarian",
  writer: "openlibrary",
  admin: "admin",
};
export type Client = keyof typeof USERNAMES | "anonymous" | "operator" | "covers";

/** Values of placeholders, by a pattern of the path; the first match counts. */
export const PATHS: [path: RegExp, values: Record<string, string>][] = [
  [/^\/people\/\{username\}\/lists/, { list_id: "$list", olid: "$list" }],
  [/^\/people\/\{username\}\/series/, { list_id: "OL101L", olid: "OL101L" }],
  [/^\/lists\//, { list_id: "$communityList", olid: "$communityList" }],
  [/^\/series\//, { list_id: "OL101L", olid: "OL101L" }],
  [/^\/oclc\//i, { value: "987654321" }],
  [/^\/lccn\//i, { value: "2001000001" }],
  [/^\/ia\//i, { value: "starter-bleak-2003", ocaid: "starter-bleak-2003" }],
  [/^(?:\/covers)?\/[abw]\/\{key\}/, { key: "id", value: "1-M" }],
  [/^\/stats\/lending/, { kind: "collections", value: "inlibrary" }],
  [/^\/sitemaps/, { kind: "works", number: "1" }],
  [/^\/subjects/, { key: "fiction" }],
  [/^\/publishers/, { key: "Penguin_Classics", publisher_id: "1", suffix: "json" }],
  [/\/books\/\{key\}/, { key: "already-read" }],
  [/^\/opds/, { key: "already-read" }],
  [/^\/import\/batch/, { id: "1" }],
  [/^\/reconcile/, { id: "works/OL101W" }],
  [/^\/account\//, { rest: "already-read", code: "$code" }],
  [/^\/show-/, { rest: "marc_x/y.mrc:0:10" }],
  [/^\/libraries/, { name: "city", number: "1" }],
  [/^\/data/, { name: "ol_dump_latest.txt.gz" }],
  [/^\/docs/, { tag: "lists" }],
  [/^\/tags/, { tag: "fiction" }],
  [/^\/system\/backup\/tables/, { store: "catalog", table: "record" }],
  [/^\/system\/backup\/files/, { bucket: "covers", name: "b/1-M.jpg" }],
  [/^\/recentchanges\/goto/, { id: "1" }],
  [/^\/recentchanges/, { kind: "update", rest: "update", change: "1", kind_or_year: "update" }],
  [/^\/\{key/, { key: "works/OL101W" }],
  [
    /./,
    {
      username: "patron",
      work_id: "101",
      edition_id: "101",
      author_id: "101",
      olid: "OL130M",
      slug: "a-title",
      value: "9780141439723",
      idtype: "olid",
      idval: "OL101M",
      brief_or_full: "full",
      req: "olid:OL101M%7Clccn:1",
      ocaid: "starter-bleak-2003",
      item: "starter-bleak-2003",
      resource_id: "starter-bleak-2003",
      place: "starter-bleak-2003/file.txt",
      file: "file.epub",
      leaf: "5",
      shelf: "want-to-read",
      year: "2031",
      month: "01",
      day: "01",
      date: "2031-01-01",
      kind: "works",
      period: "daily",
      mode: "daily",
      format: "bib",
      path: "logo.svg",
      archive_host: "archive.org",
      filename: "athena.js",
      ip: "local",
      check_in_id: "$checkIn",
      rest: "nothing",
      key: "fiction",
      name: "name",
      id: "1",
      number: "1",
      table: "record",
      store: "catalog",
      bucket: "covers",
      core: "openlibrary",
      part: "fields",
      site: "openlibrary.org",
      category: "b",
      entity: "works/OL101W",
      document: "note/1",
      change: "1",
      offset: "0",
      code: "$code",
      tag: "fiction",
      list_id: "$list",
    },
  ],
];
/** Values of placeholders that lead nowhere; the others are `nothing`. */
export const MISSING: Record<string, string> = {
  username: "nobody_here",
  olid: "OL99999999L",
  list_id: "OL99999999L",
  value: "999999",
  code: "0".repeat(32),
  slug: "a-title",
  year: "1999",
  month: "13",
  format: "bib",
  site: "openlibrary.org",
  core: "openlibrary",
};
for (const name of [
  "work_id",
  "edition_id",
  "author_id",
  "publisher_id",
  "id",
  "number",
  "check_in_id",
  "leaf",
])
  MISSING[name] = "99999999";

/** Parameters without which most operations answer an error, and their values. */
export const ANCHORS: Record<string, string> = {
  q: "pride",
  bibkeys: "ISBN:9780141439723,OLID:OL101M",
  ids: "OL101W",
  verb: "ListRecords",
  metadataPrefix: "oai_dc",
  operation: "searchRetrieve",
  keys: '["/works/OL101W"]',
  prefix: "pri",
  identifier: "starter-bleak-2003",
  id: "/works/OL101W",
  scanClause: "dc.title=pride",
};
/** Plausible values of parameters, fields and members, by name. */
export const VALUES = Object.fromEntries(
  linesOf("values.txt").map((line) => {
    const [name = "", values = ""] = line.split(/: (.*)/s);
    return [name, values.replaceAll("\\n", "\n").split(" ; ")];
  }),
) as Record<string, string[] | undefined>;
/** Values that parameters of a number, and all others, refuse. */
export const BAD = { number: ["", "-1", "x"], text: ["", "<i>\"'&", "\u0000"] };
/** JSON values that most members refuse. */
export const BAD_JSON: unknown[] = [null, -1, "<i>\"'&", ["x"], { x: 1 }];

/** Requests that go before one of these operations, in the same moment; their mail has `$code`. */
export const BEFORE: [operation: RegExp, client: Client, line: string][] = [
  [
    /^verifyAccount/,
    "anonymous",
    "POST /account/create username=new_patron&email=new@example.com&password=a+long+pass+phrase",
  ],
  [/^resetPassword/, "anonymous", "POST /account/password/forgot email=reader@example.com"],
  [/^verifyEmail/, "owner", "POST /account/email email=other@example.com&password=patron"],
  [/^redeemOtp/, "anonymous", "POST /account/login/otp/issue email=patron@example.com"],
];

/** Clients that pass the own checks of operations, whose access level lets all clients in. */
export const CALLERS: [operation: RegExp, client: Client][] = [
  [/^(?:libraryDashboard|pendingLibrary)$/, "admin"],
];

/** Requests beside those of test/wire/interface.md: client, and method, address and body. */
export const EXAMPLES = requestsIn("examples.txt");
/** Requests that fill the world. */
export const DEEDS = requestsIn("world.txt");

function requestsIn(file: string) {
  return linesOf(file).map((line): [client: Client, request: string] => {
    const [client, request = ""] = line.split(/: (.*)/s);
    return [client as Client, request];
  });
}

/** Returns the lines of a file beside this one that are no comments. */
function linesOf(file: string): string[] {
  const lines = readFileSync(path.join(import.meta.dirname, file), "utf8")
    .trimEnd()
    .split("\n");
  return lines.filter((line) => !line.startsWith("#"));
}
