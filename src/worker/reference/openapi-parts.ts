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

export const RESPONSES = {
  NotModified: { description: "Not modified" },
  LoginFirst: { description: "Redirect of browsers to the login page", headers: LOCATION },
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

export const USUAL_PARAMETERS: Readonly<Record<string, string>> = {
  limit: "Maximum number of entries",
  offset: "Number of entries to skip",
  page: "Page number, from 1",
  username: "Username, case-insensitive",
};
