import type { Json } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";
import { findFieldsWith } from "../fields.ts";
import { matchesGlob } from "../query/query.ts";
import { memoize, memoizeByObject } from "../text/memo.ts";

export const DEFAULT_FIELDS: readonly string[] = [
  ...findFieldsWith({ byDefault: true }),
  "id_cita_press",
  "id_librivox",
  "id_openstax",
  "id_project_gutenberg",
  "id_project_runeberg",
  "id_standard_ebooks",
  "id_wikisource",
];

/** Mark of a member from outside the index: true for works, for their editions, if it is wanted there. */
interface Sides {
  work: boolean;
  edition: boolean;
}

export interface FieldSelection {
  readonly work: readonly string[];
  readonly edition: readonly string[];
  readonly editions: boolean;
  readonly availability: boolean;
  readonly score: boolean;
  readonly description: Sides;
  readonly providers: Sides;
}

const ELSEWHERE = new Set(["availability", "description", "providers", "editions", "score"]);
const ELSEWHERE_OF_ONE_SIDE = /^(?:work|editions)\.(?:description|providers|availability)$/;
const EDITION_FIELD = /^editions\./;

/** Maximum number of names and globs: every field of every document is compared with them. */
const FIELD_NAMES_MAX = 200;

/** Returns the names of comma-separated lists, from all occurrences of the parameter; trimmed, without empty ones. */
export function parseFieldNames(occurrences: readonly string[]): string[] {
  const names = occurrences.flatMap((list) => list.split(",")).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))].slice(0, FIELD_NAMES_MAX);
}

/**
 * Reads `fields=` of a search for works; without names, it gives the default fields. Unknown names are harmless.
 * Clients repeat the same names, so that selections, with their derived values, are cached.
 */
export function selectFields(names: readonly string[]): FieldSelection {
  return selectionOf(names.join(","));
}

const selectionOf = memoize(parseSelection, { size: 100, longest: 2000 });

function parseSelection(list: string): FieldSelection {
  const wanted = new Set(list === "" ? DEFAULT_FIELDS : list.split(","));
  const work = [...wanted].filter((name) => !ELSEWHERE.has(name) && !name.includes("."));
  return {
    work,
    edition: editionFieldsOf(wanted, work),
    editions: wanted.has("editions"),
    availability: wanted.has("availability"),
    score: wanted.has("score"),
    description: sidesOf("description", wanted),
    providers: sidesOf("providers", wanted),
  };
}

function sidesOf(name: string, wanted: ReadonlySet<string>): Sides {
  const both = wanted.has(name);
  return { work: both || wanted.has(`work.${name}`), edition: both || wanted.has(`editions.${name}`) };
}

/** Returns the editions' own fields, else the works' without authors; all if only editions are wanted. */
function editionFieldsOf(wanted: ReadonlySet<string>, work: readonly string[]): string[] {
  const editionNames = [...wanted].filter(
    (name) => EDITION_FIELD.test(name) && !ELSEWHERE_OF_ONE_SIDE.test(name),
  );
  if (editionNames.length > 0) return editionNames.map((name) => name.replace(EDITION_FIELD, ""));
  return work.length === 0 ? ["*"] : work.filter((name) => !name.startsWith("author_"));
}

export const ALL_FIELDS: readonly string[] = ["*"];

// Q60: clients may name every field, even those that are never returned.
/** Fields for searches or sorts that are never returned, not even by `*`. */
export const HIDDEN_FIELDS: ReadonlySet<string> = new Set([
  ...findFieldsWith({ hidden: true }),
  "text",
  "name_sort",
]);

export type FieldTest = (name: string) => boolean;

/** Returns the test for a list of names and globs such as `id_*`; hidden fields never pass. Cached by the list. */
export const fieldTestOf = memoizeByObject((fields: readonly string[]): FieldTest => {
  if (fields.includes("*")) return isReturnable;
  const names = new Set(fields);
  const globs = fields.filter((field) => field.includes("*")).map((field) => field.split("*"));
  return (name) => isReturnable(name) && (names.has(name) || globs.some((parts) => matchesGlob(name, parts)));
});

/** Returns the wanted fields of a document, in the document's order. */
export function project(document: Document, fields: readonly string[]): Document {
  const wanted = fieldTestOf(fields);
  const projected: Record<string, Json> = {};
  for (const [name, value] of Object.entries(document)) if (wanted(name)) projected[name] = value;
  return projected;
}

function isReturnable(name: string): boolean {
  return !HIDDEN_FIELDS.has(name);
}
