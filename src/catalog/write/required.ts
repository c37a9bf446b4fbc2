import { type CatalogRecord, typeKey } from "../record.ts";
import { declaredProperty } from "../types.ts";
import type { WriteFailure } from "./failure.ts";
import { badDocument } from "./failures.ts";
import { isBlank } from "./prune.ts";
import { member } from "./same.ts";

const REQUIRED: ReadonlyMap<string, string> = new Map([
  ["/type/work", "title"],
  ["/type/edition", "title"],
  ["/type/author", "name"],
  ["/type/series", "name"],
  ["/type/tag", "name"],
  ["/type/publisher", "name"],
]);

/**
 * What a new record must have and this document lacks: a work and an edition a title, an author, a series, a tag and
 * a publisher a name (records.md 4.3). Records that exist may lack them.
 */
export function requiredMembers(document: CatalogRecord): WriteFailure | undefined {
  const type = typeKey(document);
  const name = type === undefined ? undefined : REQUIRED.get(type);
  if (type === undefined || name === undefined) return undefined;
  const value = member(document, name);
  // Where the type declares it, the pipeline says what is wrong with a value that is no text.
  const isText = typeof value === "string" || declaredProperty(type, name) !== undefined;
  if (!isBlank(value) && isText) return undefined;
  const { key } = document;
  return badDocument(`missing ${name}`, typeof key === "string" ? { key, property: name } : undefined);
}
