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

/** Field with a typed name, but without a picked record. */
interface OpenPick {
  name: string;
  kind: PickKind;
  typed: string;
}

export type NameMatches = ReadonlyMap<
  string,
  { readonly typed: string; readonly matches: readonly Pickable[] }
>;

/** Members whose values are picked by name, but edited as one text: kind, and function that adds values to the text. */
export const TERM_EDITORS: ReadonlyMap<
  string,
  { kind: PickKind; add(text: string, more: readonly string[]): string }
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

/** Form whose picked names are resolved into keys. */
export interface SettledForm {
  readonly form: CatalogRecord;
  readonly open: readonly OpenPick[];
  /** Field whose name is to be looked up; nothing is saved then. */
  readonly find: string | undefined;
}

/**
 * Resolves the fields that pickers add: `<field>_text` is the typed text, `<field>_found` the name for which the key in
 * `<field>` was picked. If they differ, the key is dropped; a blank name removes it. `theirs--<record>--<member>` keeps
 * another editor's value of a member. A form without any of these is unchanged.
 */
export function settlePicks(form: CatalogRecord): SettledForm {
  const open: OpenPick[] = [];
  const { find, theirs, ...rest } = form;
  const state = { open, find, theirs };
  const settledForm: Record<string, Json | undefined> = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => {
      if (name === "authors" && value !== undefined) return [name, settleRows(value, [name, "author"], open)];
      return [name, isObject(value) ? settleRecord(value, name, state) : value];
    }),
  );
  // The form of a new book names its work in a separate field.
  const { work, work_text: text, work_found: pickedName } = settledForm;
  if (typeof text === "string") {
    const pick = { key: work ?? "", key_text: text, key_found: pickedName ?? "" };
    settledForm["work"] = keyOf(settlePick(pick, { name: "work", kind: "work", open })) ?? "";
  }
  return { form: settledForm, open, find: typeof find === "string" ? find : undefined };
}

function settleRecord(
  record: CatalogRecord,
  prefix: string,
  { open, find, theirs }: { open: OpenPick[]; find: Json | undefined; theirs: Json | undefined },
): CatalogRecord {
  const members: Record<string, Json> = {};
  const theirValues = isObject(theirs) ? theirs[prefix] : undefined;
  for (const [name, value = null] of Object.entries(record)) {
    if (/_(?:text|more)$/.test(name) || (isObject(theirValues) && Object.hasOwn(theirValues, name))) continue;
    members[name] = settleMember(value, [prefix, name], open);
  }
  for (const [member, { kind, add }] of TERM_EDITORS) {
    const [typed, picked] = [record[`${member}_text`], stringsOf(record[`${member}_more`])];
    if (typeof typed !== "string" && picked.length === 0) continue;
    const text = typeof typed === "string" ? typed : "";
    const isSearch = find === `${prefix}--${member}`;
    if (isSearch) open.push({ name: `${prefix}--${member}`, kind, typed: text });
    const more = isSearch || text === "" ? picked : [...picked, text];
    const before = members[member];
    if (more.length > 0) members[member] = add(typeof before === "string" ? before : "", more);
  }
  return members;
}

function settleMember(
  value: Json,
  [prefix, name]: readonly [prefix: string, name: string],
  open: OpenPick[],
): Json {
  const path = `${prefix}--${name}`;
  if (name === "authors") return settleRows(value, [path, "author"], open);
  if (name === "series" && prefix === "work") return settleRows(value, [path, "series"], open);
  if (name !== "works" || !Array.isArray(value)) return value;
  return value.map((pick, at) => settlePick(pick, { name: `${path}--${at}--key`, kind: "work", open }));
}

function settleRows(
  rows: Json,
  [path, member]: readonly [path: string, member: "author" | "series"],
  open: OpenPick[],
): Json {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row, at) => {
    if (!isObject(row)) return row;
    const name = `${path}--${at}--${member}--key`;
    const picked = settlePick(row[member] ?? null, { name, kind: member, open });
    const typed = isObject(picked) ? picked["key_text"] : undefined;
    const isNew = isObject(picked) && picked["key"] === NEW_KEY && typeof typed === "string";
    return { ...row, [member]: picked, ...(isNew && row["name"] === undefined && { name: typed }) };
  });
}

/** Resolves a reference `{key, key_text, key_found}`: its `key` is empty if the typed name was not picked. */
function settlePick(
  value: Json,
  { name, kind, open }: { name: string; kind: PickKind; open: OpenPick[] },
): Json {
  if (!isObject(value)) return value;
  const { key = "", key_text: text, key_found: pickedName } = value;
  if (typeof text !== "string" || key === NEW_KEY) return value;
  if (text === "") return { ...value, key: "" };
  if (isKeyOrOlid(text)) return { ...value, key: text };
  if (text === pickedName && key !== "") return value;
  open.push({ name, kind, typed: text });
  return { ...value, key: "" };
}

/** Returns true if a text is the key of a record, or its last segment, so that no search by name is needed. */
export function isKeyOrOlid(text: string): boolean {
  return /^(?:\/(?:authors|works|series)\/)?OL\d{1,15}[AWL]$/i.test(text);
}

/** Searches the open names: all of them, or only that of the field `find`. */
export async function findNames(
  open: readonly OpenPick[],
  find: string | undefined,
  context: RequestContext,
): Promise<NameMatches> {
  const picks = open.filter(({ name }) => find === undefined || name === find);
  const matches = await Promise.all(picks.map(({ kind, typed }) => findByName(kind, typed, context)));
  return new Map(picks.map(({ name, typed }, at) => [name, { typed, matches: matches[at] ?? [] }]));
}
