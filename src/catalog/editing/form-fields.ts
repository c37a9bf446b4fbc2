import { type CatalogRecord, type Json, memberOf } from "../record.ts";
import { type WriteFailure, documentFailure } from "./failure.ts";

export type FormField = readonly [name: string, text: string];

export const FORM_FIELDS_MAX = 5000;
export const FORM_DEPTH_MAX = 8;

const SEPARATOR = "--";
const INDEX = /^\d{1,9}$/;

type Node = Map<string, Node | string>;

/**
 * Converts the fields of a form to one object: `--` in a name goes one level down, and numeric names make an array in
 * their order, without gaps. Of several fields with one name the last counts. Texts are trimmed, and their line ends
 * become `\n`.
 */
export function nestFields(fields: readonly FormField[]): {
  form: CatalogRecord;
  failures: WriteFailure[];
} {
  const failures: WriteFailure[] = [];
  if (fields.length > FORM_FIELDS_MAX) {
    failures.push(
      documentFailure({ key: "bad_data.form_fields", values: { most: FORM_FIELDS_MAX } }, undefined),
    );
  }
  const root: Node = new Map();
  for (const [name, text] of fields.slice(0, FORM_FIELDS_MAX)) {
    const path = name.split(SEPARATOR);
    if (path.length > FORM_DEPTH_MAX)
      failures.push(
        documentFailure({ key: "bad_data.form_field", values: { name: name.slice(0, 100) } }, undefined),
      );
    else putField(root, path, text.replaceAll("\r\n", "\n").trim());
  }
  return { form: objectOf(root), failures };
}

export function formTextOf(form: CatalogRecord, name: string): string | undefined {
  const value = memberOf(form, name);
  return typeof value === "string" ? value : undefined;
}

/**
 * Converts the values of a JSON body to form fields: objects and arrays become names with `--`; null values are left
 * out. Returns at most one field more than a form may have.
 */
export function fieldsOfJson(value: Json, name = "", fields: FormField[] = []): FormField[] {
  if (value === null || fields.length > FORM_FIELDS_MAX) return fields;
  if (typeof value !== "object") {
    fields.push([name, String(value)]);
    return fields;
  }
  if (name.split(SEPARATOR).length > FORM_DEPTH_MAX) {
    fields.push([`${name}${SEPARATOR}`, ""]);
    return fields;
  }
  for (const [part, inner = null] of Object.entries(value)) {
    fieldsOfJson(inner, name === "" ? part : name + SEPARATOR + part, fields);
  }
  return fields;
}

function putField(root: Node, path: readonly string[], text: string): void {
  let node = root;
  for (const part of path.slice(0, -1)) {
    const below = node.get(part);
    const next: Node = below instanceof Map ? below : new Map();
    node.set(part, next);
    node = next;
  }
  const last = path.at(-1) ?? "";
  // An object takes precedence over a text of the same name.
  if (!(node.get(last) instanceof Map)) node.set(last, text);
}

function valueOf(node: Node | string): Json {
  if (typeof node === "string") return node;
  const names = [...node.keys()];
  if (!names.every((name) => INDEX.test(name))) return objectOf(node);
  return [...node].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => valueOf(value));
}

function objectOf(node: Node): CatalogRecord {
  return Object.fromEntries([...node].map(([name, value]) => [name, valueOf(value)]));
}

/** Moves the names of new authors and series next to their keys in the fields of an edit form. */
export function toEditFormFields(fields: readonly FormField[]): FormField[] {
  return fields.map(([name, text]) => [
    name
      .replace(/^(?:author_names|authors)--(\d+)$/, "work--authors--$1--name")
      .replace(/^(?:series_names|series)--(\d+)$/, "work--series--$1--name"),
    text,
  ]);
}

/** Moves the names of authors next to their keys in the fields of the form for a new book. */
export function toAddFormFields(fields: readonly FormField[]): FormField[] {
  return fields.map(([name, text]) => [name.replace(/^author_names--(\d+)$/, "authors--$1--name"), text]);
}
