import { findFieldsHaving, findFieldsWith } from "../fields.ts";
import { type PlainScheme, PLAIN_FIELDS } from "../plain-fields.ts";

export interface FieldRef {
  readonly name: string;
  /** Side of the condition: `work.` or `edition.` in front of a name restricts it to that side. */
  readonly scope: "any" | "work" | "edition";
  /** Field that the name stands for as well. */
  readonly also?: string;
}

export interface NameScheme {
  /** Returns the field of a name as written; undefined if there is none. */
  resolve(name: string): FieldRef | undefined;
  /** True if a field also takes the bare words after it. */
  readonly isGreedy: boolean;
  readonly loose?: Looseness;
}

export interface Looseness {
  readonly isAnyEnough: boolean;
  /** Returns the number of the outermost operands that must hold, out of `count`. */
  readonly least?: ((count: number) => number) | undefined;
}

const FIELD_NAME_LENGTH = 100;
const IDENTIFIER = /^id_[-\w]+$/;
const SCOPED = /^(work|edition)\.(.+)$/;
const RAW_NAME = /^[A-Za-z_][-\w.]*$/;

const WORK_FIELDS: ReadonlySet<string> = new Set(findFieldsWith({ namedBy: "all" }));
const EDITION_FIELDS: ReadonlyMap<string, string> = new Map(findFieldsHaving("edition"));
const EDITION_IF_NAMED: ReadonlySet<string> = new Set(findFieldsWith({ editionIfNamed: true }));

/** Prefix of author fields: editions have their authors from the work, so both have the same values. */
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

export const WORK_SCHEME: NameScheme = { resolve: resolveWorkField, isGreedy: true };

/** Rules of the search listener: every name is a field, there are no aliases, and a field has one value only. */
export const RAW_SCHEME: NameScheme = {
  resolve: (name) => (RAW_NAME.test(name) ? { name, scope: "any" } : undefined),
  isGreedy: false,
};

/** Returns the rules for names in one of the schemes without aliases. */
export function plainSchemeOf(scheme: PlainScheme): NameScheme {
  return {
    resolve: (written) => {
      if (written.length > FIELD_NAME_LENGTH) return undefined;
      const name = written.toLowerCase();
      return PLAIN_FIELDS[scheme].has(name) ? { name, scope: "any" } : undefined;
    },
    isGreedy: true,
  };
}

/** Returns true if a query for works may name this index field. */
export function isWorkField(name: string): boolean {
  return WORK_FIELDS.has(name) || IDENTIFIER.test(name);
}

/** Returns the name of a field of works in editions; undefined if it says nothing about them. */
export function editionFieldOf({ name, scope }: FieldRef): string | undefined {
  if (scope === "work") return undefined;
  if (scope === "edition" && EDITION_IF_NAMED.has(name)) return name;
  return IDENTIFIER.test(name) ? name : EDITION_FIELDS.get(name);
}

/** Returns the field of a name in any case, with a scope in any case too (Q52). */
function resolveWorkField(written: string): FieldRef | undefined {
  if (written.length > FIELD_NAME_LENGTH) return undefined;
  const name = written.toLowerCase();
  const [, scope, rest = ""] = SCOPED.exec(name) ?? [];
  if (scope === undefined) {
    // Q652: an author has other names, too.
    const alias = ALIASES.get(name);
    const also = alias === "author_name" ? "author_alternative_name" : undefined;
    return workFieldRef(alias ?? name, "any", also);
  }
  const scoped = isWorkField(rest) ? rest : (ALIASES.get(rest) ?? rest);
  return workFieldRef(scoped, scope === "work" || scoped.startsWith(OF_AUTHORS) ? "work" : "edition");
}

function workFieldRef(name: string, scope: FieldRef["scope"], also?: string): FieldRef | undefined {
  return isWorkField(name) ? { name, scope, ...(also !== undefined && { also }) } : undefined;
}
