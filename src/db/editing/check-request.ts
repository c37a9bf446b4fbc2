import { findControl } from "../../catalog/storable-text.ts";
import { type WriteFailure, documentFailure, permissionFailure } from "../../catalog/editing/failure.ts";
import { RESTORING_KINDS } from "../../catalog/editing/write-request.ts";
import { tryParseJson } from "../../catalog/record.ts";
import { PARAMETER_BYTES } from "../statement.ts";
import type { SaveState } from "./read-state.ts";
import { type ChangeScope, type SaveRequest, keysOfChange } from "./request.ts";

const CHANGE_DOCUMENTS_MAX = 10_000;
/** Maximum length of a record key, in UTF-16 units. */
const KEY_LENGTH = 512;
/** Maximum length of a comment, and of data as JSON text, in UTF-16 units: lists show those of a thousand changes. */
export const COMMENT_LENGTH = 10_000;
const DATA_LENGTH = 256 * 1024;
/** Maximum total length of the keys of one change, in UTF-16 units: they are sent as one parameter. */
const KEYS_LENGTH = PARAMETER_BYTES / 4;

/** Returns the failures of a change that can be found before any reads. */
export function findRequestFailures(change: Pick<ChangeScope, "documents" | "expected">): WriteFailure[] {
  if (change.documents.length > CHANGE_DOCUMENTS_MAX) {
    return [toTooLargeFailure(`more than ${CHANGE_DOCUMENTS_MAX} documents in one change`)];
  }
  const keys = keysOfChange(change);
  const tooLong = keys.filter((key) => key.length > KEY_LENGTH);
  if (tooLong.length > 0) return tooLong.map(() => BAD_KEY);
  const length = keys.reduce((sum, key) => sum + key.length, 0);
  return length > KEYS_LENGTH ? [toTooLargeFailure("too many keys in one change")] : [];
}

/** Returns the failures of a change's comment and data. */
export function findNotesFailures(request: Pick<SaveRequest, "kind" | "comment" | "data">): WriteFailure[] {
  const { kind, comment, data } = request;
  const isLong = (comment ?? "").length > COMMENT_LENGTH;
  const notes = RESTORING_KINDS.has(kind) ? {} : { comment, data: tryParseJson(data) };
  const [controlled] = findControl(notes) ?? [];
  return [
    ...(controlled === undefined
      ? []
      : [documentFailure(`control characters in the ${controlled}`, undefined)]),
    ...(isLong ? [toTooLargeFailure(`the comment is longer than ${COMMENT_LENGTH} characters`)] : []),
    ...(data.length > DATA_LENGTH
      ? [toTooLargeFailure(`the data is longer than ${DATA_LENGTH} characters`)]
      : []),
  ];
}

const BAD_KEY = documentFailure(`Bad key: longer than ${KEY_LENGTH} characters`, undefined);

/** Returns the failures of a change before its documents are checked, for the first reason found. */
export function findStateFailures(
  { writer, documents, expected }: ChangeScope,
  state: SaveState,
): WriteFailure[] {
  if (state.isReadOnly) return [READ_ONLY_NOW];
  const { mayWrite } = state.permissions;
  const mayNot = documents.flatMap(({ key }) => (typeof key === "string" && !mayWrite(key) ? [key] : []));
  if (writer.authority === "user" && writer.author === null) return [NOT_LOGGED_IN];
  if (mayNot.length > 0)
    return mayNot.map((key) => permissionFailure(`Permission denied to modify '${key}'`, { key }));
  if (!state.isComplete) return [toTooLargeFailure("the stored documents are too large for one change")];
  return Object.entries(expected).flatMap(([key, revision]) =>
    (state.stored.get(key)?.revision ?? 0) === revision ? [] : [toOutdatedFailure(key)],
  );
}

export const BUSY: WriteFailure = {
  status: 503,
  error: "busy",
  message: "Too many changes are being saved. Try again.",
};

/** Failure with status 503, while the catalog is read-only. */
export const READ_ONLY_NOW: WriteFailure = {
  status: 503,
  error: "read_only",
  message: "The catalog is read-only right now.",
};

const NOT_LOGGED_IN: WriteFailure = {
  status: 403,
  error: "permission_denied",
  message: "Permission Denied.",
};

function toOutdatedFailure(key: string): WriteFailure {
  return { status: 409, error: "conflict", message: "Document update conflict", key };
}

function toTooLargeFailure(message: string): WriteFailure {
  return { status: 413, error: "too_large", message };
}
