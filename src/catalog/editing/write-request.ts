import type { Text } from "../texts.ts";
import {
  type CatalogRecord,
  type Json,
  DOCUMENT_DEPTH_MAX,
  isObject,
  isTooDeep,
  omitMembers,
} from "../record.ts";
import { decodeHeaderText } from "../bytes.ts";
import { type WriteFailure, documentFailure } from "./failure.ts";

/** Data about a change from the headers of a request, or from a document. */
export interface OptHeaders {
  readonly comment?: string;
  /** Kind of the change, as sent. `parseClientKind` checks that a client may use it. */
  readonly action?: string;
  readonly data?: CatalogRecord;
}

const OPT = /^\s*"([^"]*)"\s*;\s*ns\s*=\s*(\d\d)\s*$/;
const EXTENSION_PATH = "/dev/docs/api";

/**
 * Reads `Opt: "http://host/dev/docs/api"; ns=42` and the headers `42-comment`, `42-action` and `42-data` that it
 * announces. `get` looks up a header by name, ignoring case. An `Opt` of another form is ignored. Returns a failure for
 * another extension, or for data that is not a JSON object.
 */
export function readOptHeaders(get: (name: string) => string | null): OptHeaders | WriteFailure {
  const [, extension, prefix] = OPT.exec(get("Opt") ?? "") ?? [];
  if (extension === undefined || prefix === undefined) return {};
  // Q93: clients use the name by which they address the host.
  if (!extension.endsWith(EXTENSION_PATH)) {
    return documentFailure({ key: "bad_data.opt", values: { path: EXTENSION_PATH } }, undefined, extension);
  }
  const comment = get(`${prefix}-comment`);
  const action = get(`${prefix}-action`) ?? "";
  const dataText = get(`${prefix}-data`) ?? "";
  const parsed: ParsedData = dataText.trim() === "" ? {} : parseData(decodeHeaderText(dataText));
  if ("problem" in parsed) return documentFailure(parsed.problem, undefined);
  return {
    ...(comment === null ? {} : { comment: decodeHeaderText(comment) }),
    ...(action === "" ? {} : { action }),
    ...parsed,
  };
}

type ParsedData = { readonly data?: CatalogRecord } | { readonly problem: Text };

function parseData(text: string): ParsedData {
  try {
    // JSON text always parses to a JSON value.
    const value = JSON.parse(text) as Json;
    if (!isObject(value)) return { problem: { key: "bad_data.json_object" } };
    if (!isTooDeep(value)) return { data: value };
    return { problem: { key: "bad_data.depth", values: { most: DOCUMENT_DEPTH_MAX } } };
  } catch (error) {
    if (error instanceof SyntaxError) {
      return { problem: { key: "bad_data.json", values: { reason: error.message } } };
    }
    throw error;
  }
}

/**
 * Takes `_comment`, `_action` and `_data` from a document. Null and an empty action count as not sent. A member with a
 * value of another type is kept, so that the document is rejected for a bad property.
 */
export function takeControlMembers(
  document: CatalogRecord,
): OptHeaders & { readonly document: CatalogRecord } {
  let rest = document;
  const { _comment: comment, _action: action, _data: data } = document;
  if (comment === null || typeof comment === "string") rest = omitMembers(rest, "_comment");
  if (action === null || typeof action === "string") rest = omitMembers(rest, "_action");
  if (data === null || isObject(data)) rest = omitMembers(rest, "_data");
  return {
    document: rest,
    ...(typeof comment === "string" ? { comment } : {}),
    ...(typeof action === "string" && action !== "" ? { action } : {}),
    ...(isObject(data) ? { data } : {}),
  };
}

const CLIENT_KIND = /^[a-z][a-z0-9_-]{0,63}$/;
/** Kinds reserved for the service, which recognises its own changes by them. */
const PRIVILEGED = new Set(["new-account", "undo", "revert", "revert-version", "merge-authors"]);

const UPDATES = ["update", "default-update"];
const BULK_UPDATES = ["bulk_update", "default-bulk-update"];
const LISTS = [
  "lists",
  "create-list",
  "edit-list",
  "edit-list-seeds",
  "delete-list",
  "create-series",
  "edit-series",
  "edit-series-seeds",
];

/** Kinds of changes that store old revisions again. */
export const RESTORING_KINDS: ReadonlySet<string> = new Set(["undo", "revert-version"]);

/** Kinds that a filter treats as one, because their names changed over the years. */
export const KIND_GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["update", UPDATES],
  ["default-update", UPDATES],
  ["bulk_update", BULK_UPDATES],
  ["default-bulk-update", BULK_UPDATES],
  ["lists", LISTS],
]);

/** Returns the kind that a client chose for its change, or a failure if it may not choose that one. */
export function parseClientKind(text: string): string | WriteFailure {
  if (!CLIENT_KIND.test(text)) {
    return documentFailure({ key: "bad_data.change_kind" }, undefined, text);
  }
  // Q92: a client that merges authors by itself must use another kind.
  if (PRIVILEGED.has(text))
    return documentFailure({ key: "bad_data.change_kind_reserved", values: { kind: text } }, undefined, text);
  return text;
}
