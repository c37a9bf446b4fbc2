import { type CatalogRecord, isObject } from "../record.ts";

/** A document without the members that speak about the change, and what they say. */
export interface Controlled {
  readonly document: CatalogRecord;
  readonly comment?: string;
  /** Kind of the change, as sent: `clientKind` says whether a client may use it. */
  readonly action?: string;
  readonly data?: CatalogRecord;
}

/**
 * Takes `_comment`, `_action` and `_data` off a document (records.md 4.2). Null and an empty action count as not
 * sent. One with a value of another type stays, so that the document is refused for a bad property.
 */
export function takeControl(document: CatalogRecord): Controlled {
  let rest = document;
  const { _comment: comment, _action: action, _data: data } = document;
  if (comment === null || typeof comment === "string") rest = without(rest, "_comment");
  if (action === null || typeof action === "string") rest = without(rest, "_action");
  if (data === null || isObject(data)) rest = without(rest, "_data");
  return {
    document: rest,
    ...(typeof comment === "string" ? { comment } : {}),
    ...(typeof action === "string" && action !== "" ? { action } : {}),
    ...(isObject(data) ? { data } : {}),
  };
}

function without(document: CatalogRecord, name: string): CatalogRecord {
  return Object.fromEntries(Object.entries(document).filter(([other]) => other !== name));
}
