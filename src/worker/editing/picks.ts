import {
  joinSubjects,
  splitLines,
  splitSemicolons,
  splitSubjects,
} from "../../catalog/editing/form-texts.ts";
import { NEW_KEY } from "../../catalog/editing/record-forms.ts";
import { type CatalogRecord, type Json, isObject, keyOf, stringsOf } from "../../catalog/record.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Pickable } from "../ui/picker.ts";
import { type PickKind, findByName } from "./find-by-name.ts";

/** Field for a name, as people sent it, without a picked record. */
interface OpenPick {
  /** Name of the field. */
  readonly name: string;
  readonly kind: PickKind;
  readonly typed: string;
}

/** Typed texts and their matches, by the names of the fields. */
export type FoundNames = ReadonlyMap<string, { readonly typed: string; readonly found: readonly Pickable[] }>;

/** Members whose values are picked by name, but stored as one text: kind, and function that adds values to the text. */
export const TERMS: ReadonlyMap<
  string,
  { readonly kind: PickKind; add(text: string, more: readonly string[]): string }
> = new Map(
  (
    [
      ["languages", "language", (text, more) => [...splitLines(text), ...more].join("\n")],
      ["publishers", "publisher", (text, more) => [...splitSemicolons(text), ...more].join("; ")],
      ["subjects", "subject", addSubjects],
      ["subject_people", "person", addSubjects],
      ["subject_places", "place", addSubjects],
      ["subject_times", "time", addSubjects],
    ] as const satisfies readonly (readonly [string, PickKind, typeof addSubjects])[]
  ).map(([member, kind, add]) => [member, { kind, add }]),
);

function addSubjects(text: string, more: readonly string[]): string {
  return joinSubjects([...splitSubjects(text), ...more]);
}

/** Form whose typed and picked names are resolved into the fields for keys. */
export interface SettledForm {
  readonly form: CatalogRecord;
  /** Names that are typed, and not picked. */
  readonly open: readonly OpenPick[];
  /** Field whose name is to be looked up; nothing is saved then. */
  readonly find: string | undefined;
}

/**
 * Reads the fields that pickers add: `<field>_text` is the typed text, `<field>_found` the name for which the key in
 * `<field>` was picked. If they differ the key is dropped; a blank name removes it. `theirs--<record>--<member>` keeps
 * another editor's value of a member. A form without any of these stays as it is.
 */
export function settled(form: CatalogRecord): SettledForm {
  const open: OpenPick[] = [];
  const { find, theirs, ...rest } = form;
  const state = { open, find, theirs };
  const settledForm: Record<string, Json | undefined> = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => {
      if (name === "authors" && value !== undefined) return [name, rowsOf(value, [name, "author"], open)];
      return [name, isObject(value) ? settledRecord(value, name, state) : value];
    }),
  );
  // The form of a new book names its work in a separate field.
  const { work, work_text: text, work_found: found } = settledForm;
  if (typeof text === "string") {
    const sent = { key: work ?? "", key_text: text, key_found: found ?? "" };
    settledForm["work"] = keyOf(pickOf(sent, { name: "work", kind: "work", open })) ?? "";
  }
  return { form: settledForm, open, find: typeof find === "string" ? find : undefined };
}

interface Settling {
  readonly open: OpenPick[];
  /** Name of the field whose name is to be looked up. */
  readonly find: Json | undefined;
  /** Members that keep their current value, by record. */
  readonly theirs: Json | undefined;
}

function settledRecord(
  record: CatalogRecord,
  prefix: string,
  { open, find, theirs }: Settling,
): CatalogRecord {
  const members: Record<string, Json> = {};
  const left = isObject(theirs) ? theirs[prefix] : undefined;
  for (const [name, value = null] of Object.entries(record)) {
    if (/_(?:text|more)$/.test(name) || (isObject(left) && Object.hasOwn(left, name))) continue;
    const path = `${prefix}--${name}`;
    if (name === "authors") members[name] = rowsOf(value, [path, "author"], open);
    else if (name === "series" && prefix === "work") members[name] = rowsOf(value, [path, "series"], open);
    else if (name === "works" && Array.isArray(value)) {
      members[name] = value.map((one, at) =>
        pickOf(one, { name: `${path}--${at}--key`, kind: "work", open }),
      );
    } else members[name] = value;
  }
  for (const [member, { kind, add }] of TERMS) {
    const [typed, picked] = [record[`${member}_text`], stringsOf(record[`${member}_more`])];
    if (typeof typed !== "string" && picked.length === 0) continue;
    const text = typeof typed === "string" ? typed : "";
    const isSought = find === `${prefix}--${member}`;
    if (isSought) open.push({ name: `${prefix}--${member}`, kind, typed: text });
    const more = isSought || text === "" ? picked : [...picked, text];
    const before = members[member];
    if (more.length > 0) members[member] = add(typeof before === "string" ? before : "", more);
  }
  return members;
}

function rowsOf(
  rows: Json,
  [path, member]: readonly [path: string, member: "author" | "series"],
  open: OpenPick[],
): Json {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row, at) => {
    if (!isObject(row)) return row;
    const picked = pickOf(row[member] ?? null, {
      name: `${path}--${at}--${member}--key`,
      kind: member,
      open,
    });
    const typed = isObject(picked) ? picked["key_text"] : undefined;
    const isNew = isObject(picked) && picked["key"] === NEW_KEY && typeof typed === "string";
    return { ...row, [member]: picked, ...(isNew && row["name"] === undefined && { name: typed }) };
  });
}

/** Returns a reference `{key, key_text, key_found}` with the valid key. */
function pickOf(
  value: Json,
  { name, kind, open }: { readonly name: string; readonly kind: PickKind; readonly open: OpenPick[] },
): Json {
  if (!isObject(value)) return value;
  const { key = "", key_text: text, key_found: found } = value;
  if (typeof text !== "string" || key === NEW_KEY) return value;
  if (text === "") return { ...value, key: "" };
  if (isNumber(text)) return { ...value, key: text };
  if (text === found && key !== "") return value;
  open.push({ name, kind, typed: text });
  return { ...value, key: "" };
}

/** Returns true if a text is a key, or its number, so that no search by name is needed. */
export function isNumber(text: string): boolean {
  return /^(?:\/(?:authors|works|series)\/)?OL\d{1,15}[AWL]$/i.test(text);
}

/** Looks up the names that are open: all of them, or the one whose button was used. */
export async function foundNames(
  open: readonly OpenPick[],
  find: string | undefined,
  context: RequestContext,
): Promise<FoundNames> {
  const sought = open.filter(({ name }) => find === undefined || name === find);
  const found = await Promise.all(sought.map(({ kind, typed }) => findByName(kind, typed, context)));
  return new Map(sought.map(({ name, typed }, at) => [name, { typed, found: found[at] ?? [] }]));
}
