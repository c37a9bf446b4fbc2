import { fieldsHaving, fieldsWith } from "../fields.ts";
import { type PlainScheme, PLAIN_FIELDS } from "../plain-fields.ts";

/** Which names before a colon are fields; others are text. */

/** A field that a query names. */
export interface FieldRef {
  /** Index field. */
  readonly name: string;
  /** `work.` and `edition.` in front of a name restrict it to that side. */
  readonly scope: "any" | "work" | "edition";
}

/** How names are read in one kind of search. */
export interface FieldScheme {
  /** The field of a name as written; undefined when it is none. */
  resolve(name: string): FieldRef | undefined;
  /** Whether a field takes the bare words after it too. */
  readonly isGreedy: boolean;
  /** How much must hold of operands with nothing between them; all if it says nothing. */
  readonly loose?: Looseness;
}

/** Of the operands of a sequence that neither `+` nor `-` stands before. */
export interface Looseness {
  /** One is enough. */
  readonly isAnyEnough: boolean;
  /** How many of the outermost ones must hold, of so many. */
  readonly least?: ((count: number) => number) | undefined;
}

/** Longest name that may be one of a field, in characters: others are not looked at. */
const FIELD_NAME_LENGTH = 100;
const IDENTIFIER = /^id_[-\w]+$/;
const SCOPED = /^(work|edition)\.(.+)$/;
const RAW_NAME = /^[A-Za-z_][-\w.]*$/;

const WORK_FIELDS: ReadonlySet<string> = new Set(fieldsWith({ namedBy: "all" }));
const EDITION_FIELDS: ReadonlyMap<string, string> = new Map(fieldsHaving("edition"));
const EDITION_IF_NAMED: ReadonlySet<string> = new Set(fieldsWith({ editionIfNamed: true }));

/** Editions have their authors from the work alone: these fields say the same of both. */
const OF_AUTHORS = "author_";

const ALIASES = new Map([
  ["author", "author_name"],
  ["authors", "author_name"],
  ["by", "author_name"],
  ["title", "alternative_title"],
  ["publishers", "publisher"],
  ["number_of_pages", "number_of_pages_median"],
  ["subtitle", "alternative_subtitle"],
  ["work_title", "title"],
  ["work_subtitle", "subtitle"],
  ["trending", "trending_z_score"],
]);

/** Names in a search for works. */
export const WORK_SCHEME: FieldScheme = { resolve: workField, isGreedy: true };

/** Every name is a field, nothing is an alias, and a field has one value only: what is sent to a search engine. */
export const RAW_SCHEME: FieldScheme = {
  resolve: (name) => (RAW_NAME.test(name) ? { name, scope: "any" } : undefined),
  isGreedy: false,
};

/** Names of one of the schemes that have no aliases. */
export function plainScheme(scheme: PlainScheme): FieldScheme {
  return {
    resolve: (written) => {
      if (written.length > FIELD_NAME_LENGTH) return undefined;
      const name = written.toLowerCase();
      return PLAIN_FIELDS[scheme].has(name) ? { name, scope: "any" } : undefined;
    },
    isGreedy: true,
  };
}

/** Whether a query for works may name this index field. */
export function isWorkField(name: string): boolean {
  return WORK_FIELDS.has(name) || IDENTIFIER.test(name);
}

/** What a field of a work is called in its editions; undefined when it says nothing about them. */
export function editionField({ name, scope }: FieldRef): string | undefined {
  if (scope === "work") return undefined;
  if (scope === "edition" && EDITION_IF_NAMED.has(name)) return name;
  return IDENTIFIER.test(name) ? name : EDITION_FIELDS.get(name);
}

/** Names are read in any case, the scope in front of them too (Q52). */
function workField(written: string): FieldRef | undefined {
  if (written.length > FIELD_NAME_LENGTH) return undefined;
  const name = written.toLowerCase();
  const [, scope, rest = ""] = SCOPED.exec(name) ?? [];
  if (scope === undefined) return known(ALIASES.get(name) ?? name, "any");
  const scoped = isWorkField(rest) ? rest : (ALIASES.get(rest) ?? rest);
  return known(scoped, scope === "work" || scoped.startsWith(OF_AUTHORS) ? "work" : "edition");
}

function known(name: string, scope: FieldRef["scope"]): FieldRef | undefined {
  return isWorkField(name) ? { name, scope } : undefined;
}
