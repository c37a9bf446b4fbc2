import { type CatalogRecord, type Json, isObject, textOf } from "../record.ts";
import { formIdentifiers } from "./form-identifiers.ts";
import { sentMembers } from "./form-members.ts";

const FORM = { type: "/type/author", rows: new Map([["links", "url"]]) };

/**
 * Returns new values of an author's members from the fields `author--*`, null for those to remove. `shown` is the
 * record that filled the form.
 */
export function authorMembers(sent: CatalogRecord, shown: CatalogRecord): CatalogRecord {
  const { remote_ids: ids, ...plain } = sent;
  const members = sentMembers(FORM, plain, shown);
  if (ids !== undefined && ids !== remoteIdText(shown["remote_ids"])) {
    const list = formIdentifiers(ids).map(({ name, value }) => [name, value] as const);
    members["remote_ids"] = list.length === 0 ? null : Object.fromEntries(list);
  }
  return members;
}

/** Formats an author's identifiers as lines `name: value`, with one value per name. */
export function remoteIdText(value: Json | undefined): string {
  if (!isObject(value)) return "";
  return Object.entries(value)
    .flatMap(([name, id]) => (textOf(id) === undefined ? [] : [`${name}: ${textOf(id)}`]))
    .join("\n");
}
