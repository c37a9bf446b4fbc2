import type { Access, Route } from "../http/operation.ts";
import { JSON_TYPE } from "../http/reply.ts";

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
/** Every error says what is wrong under one of these names; the last one is for library systems. */
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

/** Schemas that several answers share. */
export const SCHEMAS = {
  HTTPValidationError: validationError,
  ValidationError: oneFailure,
  Error: anyError,
};

/** The forms of an error: JSON for programs, a page for people. `own`: what the operation says of its JSON. */
export function errorContent(own?: Schema): Schema {
  const general = { $ref: "#/components/schemas/Error" };
  const schema = own === undefined ? general : { anyOf: [own, general] };
  return { [JSON_TYPE]: { schema }, [PAGE_TYPE]: { schema: text } };
}

function failure(description: string): Schema {
  return { description, content: errorContent() };
}

/** Where a redirect leads. */
export const LOCATION = {
  Location: {
    description: "Where to go on",
    required: true,
    schema: { type: "string", format: "uri-reference" },
  },
};

/** Answers that do not depend on the operation. */
export const RESPONSES = {
  NotModified: { description: "As the client knows it (If-None-Match, If-Modified-Since)" },
  LoginFirst: { description: "People are led to the login and come back from there", headers: LOCATION },
  OtherSpelling: {
    description: "The same path without repeated slashes, blanks and a slash at the end",
    headers: LOCATION,
  },
  BadRequest: failure("The request makes no sense, such as a bookmark that is not the service's"),
  Unauthorized: failure("A session, or the operator's token, is missing"),
  Forbidden: failure("Not allowed: the role, the token, the origin or the address is not the right one"),
  NotFound: failure("There is no such thing on this service"),
  TooLarge: failure(
    "The body is larger than the operation takes, or the records that are asked for are together",
  ),
  AddressTooLong: {
    description: "The address is too long, or the one that the answer would lead to",
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
  Unavailable: failure("A part of the service does not answer, or the catalog is read-only"),
};

function reference(name: keyof typeof RESPONSES): Schema {
  return { $ref: `#/components/responses/${name}` };
}

type Some = ReadonlySet<Access>;
/** Others hear that there is nothing. */
const HIDDEN: Some = new Set<Access>(["development", "inspector"]);
/** Nobody is asked to log in: everybody may, or the role is what is missing. */
const OPEN: Some = new Set<Access>(["public", "writer", "importer", ...HIDDEN]);
/** Not for people. */
const WITH_TOKEN: Some = new Set<Access>(["operator", "cover-writer"]);
/** Whoever is logged in may. */
const FOR_PATRONS: Some = new Set<Access>(["public", "session", "session-page", ...HIDDEN]);

/** What each operation can answer besides what it says itself: gates, limits and failures that stand in front of it. */
export function generalAnswers({ method, access, path, operation }: Route): Record<string, Schema> {
  const { form, json, query } = operation;
  const takesFields = form !== undefined || json !== undefined;
  const hasPlaces = path.includes("{");
  const isReading = method === "GET";
  const leadsToLogin =
    access === "session-page" || (isReading && !OPEN.has(access) && !WITH_TOKEN.has(access));
  const answers: [number, boolean, keyof typeof RESPONSES][] = [
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
    answers.filter(([, applies]) => applies).map(([status, , name]) => [status, reference(name)]),
  );
}
