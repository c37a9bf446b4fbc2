import type { Access, LoadedRoute } from "../http/operation.ts";
import { JSON_TYPE } from "../http/reply.ts";
import type { Role } from "../../catalog/roles.ts";

type Schema = Readonly<Record<string, unknown>>;

const PAGE_TYPE = "text/html";
const text = { type: "string" };

const oneFailure = {
  type: "object",
  required: ["type", "loc", "msg"],
  properties: {
    type: text,
    loc: { type: "array", items: { anyOf: [text, { type: "integer" }] } },
    msg: text,
    input: {},
    ctx: { type: "object" },
  },
};
const validationError = {
  type: "object",
  required: ["detail"],
  properties: { detail: { type: "array", items: { $ref: "#/components/schemas/ValidationError" } } },
};
/** Errors have their text in one of these members; the last one is for library systems. */
const anyError = {
  type: "object",
  anyOf: ["detail", "error", "message", "reason"].map((name) => ({ required: [name] })),
  properties: {
    detail: { anyOf: [text, { type: "array", items: {} }, { type: "object" }] },
    error: { anyOf: [text, { type: "object" }] },
    message: text,
    reason: text,
  },
};

export const SCHEMAS = { HTTPValidationError: validationError, ValidationError: oneFailure, Error: anyError };

/** Returns the content of an error: JSON and a page. `specific`: the operation's own schema of the JSON. */
export function errorContent(specific?: Schema): Schema {
  const general = { $ref: "#/components/schemas/Error" };
  const schema = specific === undefined ? general : { anyOf: [specific, general] };
  return { [JSON_TYPE]: { schema }, [PAGE_TYPE]: { schema: text } };
}

function failure(description: string): Schema {
  return { description, content: errorContent() };
}

export const LOCATION = {
  Location: {
    description: "Target of the redirect",
    required: true,
    schema: { type: "string", format: "uri-reference" },
  },
};

/** Response for all failures of an operation, in a short description. */
export const ANY_FAILURE = { Failure: failure("Failure; its status says which") };

export const RESPONSES = {
  NotModified: { description: "Not modified" },
  LoginFirst: { description: "Redirect of browsers to the login page", headers: LOCATION },
  OtherAddress: {
    description: "Redirect to the canonical address of the record, or of the one it was merged into",
    headers: LOCATION,
  },
  OtherSpelling: {
    description: "Redirect to the canonical path, without repeated or trailing slashes and blanks",
    headers: LOCATION,
  },
  BadRequest: failure("Bad request"),
  Unauthorized: failure("Session or operator's token is missing"),
  Forbidden: failure("Forbidden: the role, token, origin or IP address lacks permission"),
  NotFound: failure("Not found"),
  TooLarge: failure("Request body or response too large"),
  AddressTooLong: {
    description: "URI too long, of the request or of its redirect",
    content: { ...errorContent(), "text/plain": { schema: text } },
  },
  Invalid: {
    description: "Invalid parameters or body",
    content: errorContent({ $ref: "#/components/schemas/HTTPValidationError" }),
  },
  TooManyRequests: {
    ...failure("Too many requests"),
    headers: {
      "Retry-After": { description: "Seconds to wait", required: true, schema: { type: "integer" } },
    },
  },
  Unavailable: failure("Service unavailable, or the catalog is read-only"),
};

function reference(name: keyof typeof RESPONSES): Schema {
  return { $ref: `#/components/responses/${name}` };
}

type Some = ReadonlySet<Access>;
/** Other clients get 404. */
const HIDDEN: Some = new Set<Access>(["development", "inspector"]);
/** Never answered with 401: open to all clients, or the role is missing. */
const OPEN: Some = new Set<Access>(["public", "writer", "importer", ...HIDDEN]);
const WITH_TOKEN: Some = new Set<Access>(["operator", "cover-writer"]);
const FOR_PATRONS: Some = new Set<Access>(["public", "session", "session-page", ...HIDDEN]);

/** Derives the responses of a route that its operation does not declare: access, limits and failures before it runs. */
export function generalResponses({ method, access, path, operation }: LoadedRoute): Record<string, Schema> {
  const { form, json, query } = operation;
  const takesFields = form !== undefined || json !== undefined;
  const hasPlaces = path.includes("{");
  const isReading = method === "GET";
  const leadsToLogin =
    access === "session-page" || (isReading && !OPEN.has(access) && !WITH_TOKEN.has(access));
  const responses: [number, boolean, keyof typeof RESPONSES][] = [
    [301, isReading && path.includes("XX{"), "OtherAddress"],
    [303, leadsToLogin, "LoginFirst"],
    [304, isReading, "NotModified"],
    [307, hasPlaces, "OtherSpelling"],
    [308, hasPlaces, "OtherSpelling"],
    [400, true, "BadRequest"],
    [401, !OPEN.has(access), "Unauthorized"],
    [403, !isReading || !FOR_PATRONS.has(access) || path.endsWith("/edit"), "Forbidden"],
    [404, hasPlaces || HIDDEN.has(access), "NotFound"],
    [413, true, "TooLarge"],
    [414, true, "AddressTooLong"],
    [422, takesFields || hasPlaces || Object.keys(query).length > 0, "Invalid"],
    [429, true, "TooManyRequests"],
    [503, true, "Unavailable"],
  ];
  return Object.fromEntries(
    responses.filter(([, applies]) => applies).map(([status, , name]) => [status, reference(name)]),
  );
}

export const TAGS = {
  account: "Accounts: login, registration, settings",
  administration: "Administration: accounts, spam, catalog status",
  agents: "Tools for agents: the Model Context Protocol",
  covers: "Covers and author photos",
  dumps: "Data dumps of the catalog",
  editing: "Write records: record API, merges, undo",
  forms: "HTML forms and their submissions",
  history: "Change history",
  import: "Imports of records",
  lending: "Lending of scanned books: loans, waiting lists, availability",
  libraries: "Participating libraries",
  lists: "Lists and series",
  lookup: "Lookup of books by ISBN, LCCN, OCLC and other identifiers",
  oauth: "Sign-in of apps (OAuth 2.1)",
  operation: "Operations",
  people: "Public profiles",
  reading: "Shelves, ratings, notes and tags",
  records: "Records: works, editions, authors and other types",
  search: "Search and autocomplete",
  service: "Service description, status and static files",
  subjects: "Subjects and publishers",
  system: "Synchronization with other services",
  trending: "Trending books",
} as const;

export const ACCESS_WORDS: Readonly<Record<Exclude<Access, Role>, string>> = {
  public: "Public.",
  operator: "Requires the operator's token.",
  "cover-writer": "Requires the secret of the cover store.",
  development: "Development services only.",
  inspector: "Administrators only; public on development services.",
  session: "Requires login.",
  "session-page": "Requires login; others are redirected to it.",
  writer: "Requires the API group.",
  importer: "Requires import rights.",
};

/** Words for parameters that mean the same in several operations. */
export const USUAL_PARAMETERS: Readonly<Record<string, string>> = {
  access: "Books to list: all, or only those that can be read or borrowed",
  archive_host: "Host of the archive; only `archive.org`",
  author: "Name of the author",
  author_id: "Digits of the author's number",
  bucket: "Bucket: `covers` or `dumps`",
  check_in_id: "Number of the check-in",
  code: "Code of the link in the email",
  collection: "Collections of the item",
  comment: "Comment of at most 500 characters",
  contributor: "Name of a contributor of an edition",
  creator: "Creators of the item",
  date: "Date of the item",
  day: "Day of the month, two digits",
  details: "True for whole records instead of keys",
  download: "`csv` for a table",
  downloads: "Number of downloads of the item",
  email: "Email address to check",
  event: "Event to list, such as `deleted`",
  facets: "True for counts by author, language, subject and year",
  file: "Name of the file",
  filename: "Name of the script",
  first_publish_year: "Year in which the work was first published",
  format: "Format of the response",
  from: "First day or moment, in UTC",
  identifier: "Identifier of the record at its source",
  idtype: "Type of the identifier: `isbn`, `oclc`, `lccn`, `olid` or `ocaid`",
  idval: "Value of the identifier",
  isbn: "ISBN of an edition, in any spelling",
  jscmd: "`data` for display data, `details` for the record, `viewapi` (default) for links",
  key: "Key of the record, or name of the shelf or subject",
  kind: "Kind of the change, of the sitemap or of the entries",
  lccn: "Library of Congress control number of an edition",
  limit: "Maximum number of entries",
  loan: "Number of the loan",
  media_type: "Media type of the files, such as `application/epub+zip`",
  mediatype: "Media type of the item",
  metadataPrefix: "Format of the records: `oai_dc`, `marc21`, `mods` or another of `ListMetadataFormats`",
  mode: "Entries to list",
  month: "Month, two digits",
  mrid: "Number of the merge request",
  name: "Name of the file",
  number: "Number of the file, from 1",
  ocaid: "ID of the scan",
  oclc: "OCLC number of an edition",
  offset: "Number of entries to skip",
  order: "`asc` for the oldest first, `desc` (default) for the newest first",
  page: "Page number, from 1",
  part: "Number of the part of a large file, from 1",
  period: "Period: `now`, `daily`, `weekly`, `monthly`, `yearly` or `forever`",
  person: "Person that the book is about",
  place: "Place that the book is about",
  place_facet: "Place that the book is about, exactly as a facet has it",
  prefix: "Beginning of the name",
  primary: "Number of the record to keep",
  print_disabled: "True for books with a scan for people who cannot read print",
  provider: "Source of the record: `marc`, `ia` or another",
  public_scan: "True for books with a scan that everyone can read",
  public_scan_b: "True for books with a scan that everyone can read",
  publisher: "Publisher of an edition",
  publisher_facet: "Publisher of an edition, exactly as a facet has it",
  q: "Words to search for",
  query: "Words to search for",
  rest: "Rest of the path",
  resumptionToken: "Token of the response before, to continue a list",
  reviewer: "Username of the librarian who reviews the request",
  revision: "Number of the revision",
  set: "Set to harvest, such as `work`",
  shelf: "Shelf: `want-to-read`, `currently-reading`, `already-read` or `stopped-reading`",
  size: "Size of the image: S, M or L",
  slug: "Readable part of the address; any text",
  sort: "Order of the entries",
  source: "Source of the record",
  store: "Database: `catalog`, `patrons` or `search`",
  subject: "Subject of the book",
  subject_facet: "Subject of the book, exactly as a facet has it",
  submitter: "Username of the librarian who made the request",
  table: "Table of the database",
  time: "Time that the book is about",
  time_facet: "Time that the book is about, exactly as a facet has it",
  title: "Title of the book",
  token: "Token of the reader application",
  topic: "Topic of the award",
  type: "Type of the entities",
  until: "Last day or moment, in UTC",
  username: "Username, case-insensitive",
  value: "Value of the identifier or kind",
  verb: "Request of OAI-PMH: `Identify`, `ListRecords`, `GetRecord` and others",
  work_id: "Digits of the work's number",
  year: "Year, four digits",
};
