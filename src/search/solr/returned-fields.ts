import type { Json } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";
import { fieldNames, project } from "../present/fields.ts";
import { SolrRequestError } from "./local-parameters.ts";

/** Fields that `fl` selects. */
interface ReturnedFields {
  /** Fields under their own names: names and globs. */
  readonly fields: readonly string[];
  /** Fields with aliases, by alias. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Fields that documents must have for the answer. */
  readonly read: readonly string[];
}

const ITEM = /^(?:([\w.-]+):)?([\w.*-]+)$/;

/** Reads the fields in `fl`, separated by commas or blanks; all if there are none. Throws SolrRequestError. */
export function returnedFields(lists: readonly string[]): ReturnedFields {
  const fields: string[] = [];
  const aliases = new Map<string, string>();
  for (const item of fieldNames(lists.map((list) => list.replace(/\s+/g, ",")))) {
    const [, alias, field] = ITEM.exec(item) ?? [];
    if (field === undefined) throw new SolrRequestError(`fl: '${item}' is not supported`);
    if (alias === undefined) fields.push(field);
    else aliases.set(alias, field);
  }
  if (fields.length + aliases.size === 0) fields.push("*");
  return { fields, aliases, read: [...fields, ...aliases.values()] };
}

/** Returns a document in the form for answers. */
export function shownDocument(document: Document, { fields, aliases }: ReturnedFields): Document {
  const others = [...aliases].flatMap(([alias, field]): [string, Json][] => {
    const value = project(document, [field])[field];
    return value === undefined ? [] : [[alias, value]];
  });
  return { ...project(document, fields), ...Object.fromEntries(others) };
}
