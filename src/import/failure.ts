import type { Json } from "../catalog/record.ts";
import { type Text, type TextKey, TextError } from "../catalog/texts.ts";

/** Error code of a refused import, in wire format. */
export type ImportErrorCode =
  | "unrecognized-XML-format"
  | "unrecognised-import-format"
  | "no-marc-record"
  | "invalid-json"
  | "invalid-xml"
  | "invalid-marc-record"
  | "invalid-value"
  | "unknown-error"
  | "missing-required-field"
  | "bad-request"
  | "bad-input"
  | "type-error"
  | "publication-year-too-old"
  | "published-in-future-year"
  | "independently-published"
  | "source-needs-isbn"
  | "author-id-conflict"
  | "not-differentiable"
  | "invalid-ia-identifier"
  | "invalid-ia-metadata"
  | "record-deleted"
  | "item-is-serial"
  | "item-not-book"
  | "not-texts-item"
  | "bad-repub-state"
  | "no-imagecount"
  | "prefix-blacklisted"
  | "noindex-true"
  | "no-ol-import"
  | "unhandled-exception";

/** Returns the text of a failure of the record store, whose error clients get as it is. */
export function storeError(code: string): Text {
  return { key: "not_imported.store", values: { code } };
}

/** Failure of an import. Routes report it and never turn it into a 500. */
export class ImportFailure extends TextError {
  override readonly name = "ImportFailure";
  readonly code: ImportErrorCode;
  readonly extra: Readonly<Record<string, Json>>;

  constructor(code: ImportErrorCode, text: Text | TextKey, extra: Readonly<Record<string, Json>> = {}) {
    const { key, values }: Text = typeof text === "string" ? { key: text } : text;
    super(key, values);
    this.code = code;
    this.extra = extra;
  }
}
