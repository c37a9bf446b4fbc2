import type { Json } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";
import { fieldNames, project } from "../present/fields.ts";
import { SolrRequestError } from "./local-parameters.ts";

/** What `fl` asks for. */
interface ReturnedFields {
  /** Fields under their own names: names and globs. */
  readonly fields: readonly string[];
  /** Fields under other names, by these. */
  readonly aliases: ReadonlyMap<string, string>;
  /** All that documents must have for it. */
  readonly read: readonly string[];
}

const ITEM = /^(?:([\w.-]+):)?([\w.*-]+)$/;

/** Reads fields as `fl` names them: by commas or blanks; all when none are named. Throws SolrRequestError. */
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

/** A document as it is answered. */
export function shownDocument(document: Document, { fields, aliases }: ReturnedFields): Document {
  const others = [...aliases].flatMap(([alias, field]): [string, Json][] => {
    const value = project(document, [field])[field];
    return value === undefined ? [] : [[alias, value]];
  });
  return { ...project(document, fields), ...Object.fromEntries(others) };
}
