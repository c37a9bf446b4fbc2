import { KIB } from "../../catalog/units.ts";
import type { TextKey } from "../../catalog/texts.ts";
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
const DATA_LENGTH = 256 * KIB;
/** Maximum total length of the keys of one change, in UTF-16 units: they are sent as one parameter. */
const KEYS_LENGTH = PARAMETER_BYTES / 4;

/** Returns the failures of a change that can be found before any reads. */
export function findRequestFailures(change: Pick<ChangeScope, "documents" | "expected">): WriteFailure[] {
  if (change.documents.length > CHANGE_DOCUMENTS_MAX) {
    return [toTooLargeFailure("too_large.documents", CHANGE_DOCUMENTS_MAX)];
  }
  const keys = keysOfChange(change);
  const tooLong = keys.filter((key) => key.length > KEY_LENGTH);
  if (tooLong.length > 0) return tooLong.map(() => BAD_KEY);
  const length = keys.reduce((sum, key) => sum + key.length, 0);
  return length > KEYS_LENGTH ? [toTooLargeFailure("too_large.keys")] : [];
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
      : [documentFailure({ key: "bad_data.control_in", values: { name: controlled } }, undefined)]),
    ...(isLong ? [toTooLargeFailure("too_large.comment", COMMENT_LENGTH)] : []),
    ...(data.length > DATA_LENGTH ? [toTooLargeFailure("too_large.change_data", DATA_LENGTH)] : []),
  ];
}

const BAD_KEY = documentFailure({ key: "bad_data.key_length", values: { most: KEY_LENGTH } }, undefined);

/** Returns the failures of a change before its documents are checked, for the first reason found. */
export function findStateFailures(
  { writer, documents, expected }: ChangeScope,
  state: SaveState,
): WriteFailure[] {
  if (state.isReadOnly) return [READ_ONLY_NOW];
  const { mayWrite } = state.permissions;
  const mayNot = documents.flatMap(({ key }) => (typeof key === "string" && !mayWrite(key) ? [key] : []));
  if (writer.authority === "user" && writer.author === null) return [NOT_LOGGED_IN];
  if (mayNot.length > 0) return mayNot.map((key) => permissionFailure("permission_denied.modify", key));
  if (!state.isComplete) return [toTooLargeFailure("too_large.stored_documents")];
  return Object.entries(expected).flatMap(([key, revision]) =>
    (state.stored.get(key)?.revision ?? 0) === revision ? [] : [toOutdatedFailure(key)],
  );
}

export const BUSY: WriteFailure = {
  status: 503,
  error: "busy",
  text: { key: "unavailable.changes" },
};

/** Failure with status 503, while the catalog is read-only. */
export const READ_ONLY_NOW: WriteFailure = {
  status: 503,
  error: "read_only",
  text: { key: "unavailable.read_only" },
};

const NOT_LOGGED_IN: WriteFailure = {
  status: 403,
  error: "permission_denied",
  text: { key: "permission_denied.write" },
};

function toOutdatedFailure(key: string): WriteFailure {
  return { status: 409, error: "conflict", text: { key: "conflict.document" }, key };
}

function toTooLargeFailure(key: TextKey, most?: number): WriteFailure {
  return { status: 413, error: "too_large", text: { key, values: most === undefined ? {} : { most } } };
}
