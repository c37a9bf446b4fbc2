import type { Json } from "../catalog/record.ts";

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

/** Failure of an import. Routes report it and never turn it into a 500. */
export class ImportFailure extends Error {
  override readonly name = "ImportFailure";
  readonly code: ImportErrorCode;
  readonly extra: Readonly<Record<string, Json>>;

  constructor(code: ImportErrorCode, message: string, extra: Readonly<Record<string, Json>> = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }
}
