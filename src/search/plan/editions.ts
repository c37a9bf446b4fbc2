import { parseIsbn } from "../../catalog/identifiers/isbn.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { ACCESS_FLAGS } from "../documents/scans.ts";
import { findFieldsWith } from "../fields.ts";
import { fieldCodeOf, languageAccessTokenOf, presenceTokenOf } from "../indexing/filter-token.ts";

import { addAmpersands } from "../query/ampersand.ts";
import {
  type Leaf,
  type Query,
  type Value,
  allOf,
  equals,
  hasNot,
  leavesOf,
  mapLeaves,
} from "../query/query.ts";
import { EDITION_FIELDS, levelOf, WORK_FIELDS } from "./field-conditions.ts";
import { type Match, EVERY_ROW, disjoinMatches, excludeMatch, matchToken } from "./match.ts";
import { type Plan, EVERYTHING, disjoinPlans, toMatchPlan } from "./plan.ts";
import { planQuery } from "./plan-query.ts";
import type { Vocabulary } from "./vocabulary.ts";

interface EditionRestriction {
  clauses: readonly Query[];
  works: readonly Query[];
  vocabulary: Vocabulary;
}

const ACCESS_FIELDS = new Set(["ebook_access", ...ACCESS_FLAGS.keys()]);
const EDITION_VALUES: ReadonlySet<string> = new Set(findFieldsWith({ gathered: true }));
const TEXTS = new Set(EDITION_FIELDS.texts.keys());

/** Works without editions: restrictions on editions do not exclude them (Q71). */
const WITHOUT_EDITIONS = toMatchPlan(excludeMatch(EVERY_ROW, matchToken(presenceTokenOf("edition_key"))));

/**
 * Returns the plan for works with one edition that meets all clauses, and for works without editions. The work's own
 * row decides a single clause, and language with access; otherwise the editions are searched.
 */
export function planEditionClauses({ clauses, works, vocabulary }: EditionRestriction): Plan {
  const decidable = clauses.flatMap(conjunctsOf).filter(isAboutEditions);
  const wanted = [...new Map(decidable.map((clause) => [signatureOf(clause), clause])).values()];
  if (wanted.length === 0) return EVERYTHING;
  const known = new Set(works.flatMap(conjunctsOf).map(signatureOf));
  const isKnown = (clause: Query): boolean => known.has(signatureOf(clause));
  if (wanted.every(isKnown) && (wanted.length === 1 || wanted.every(isAccess))) return EVERYTHING;
  const withoutEditions: Plan[] = wanted.some((clause) => isKnown(clause) && isOfEditions(clause))
    ? []
    : [WITHOUT_EDITIONS];
  const pair = matchLanguageAndAccess(wanted);
  if (pair !== undefined) return disjoinPlans([toMatchPlan(pair), ...withoutEditions], EVERY_ROW);
  const [only] = wanted;
  if (wanted.length === 1 && only !== undefined && isOfEditions(only)) {
    const plan = planQuery(toWorkQuery(only), { scheme: WORK_FIELDS, vocabulary });
    return disjoinPlans([plan, ...withoutEditions], EVERY_ROW);
  }
  const plan = planQuery(addAmpersands(allOf(wanted)), { scheme: EDITION_FIELDS, vocabulary });
  return plan.kind === "all" ? EVERYTHING : planEditionRows(plan);
}

/** Returns the plan for rows of editions: one expression, because they have no number columns. */
function planEditionRows(plan: Plan): Plan {
  if (plan.kind === "match") return { kind: "edition", match: plan.match };
  if (plan.kind === "not" && plan.of.kind === "match") {
    return { kind: "edition", match: excludeMatch(EVERY_ROW, plan.of.match) };
  }
  return WITHOUT_EDITIONS;
}

function conjunctsOf(query: Query): Query[] {
  if (query.op === "all") return [];
  return query.op === "and" ? query.of.flatMap(conjunctsOf) : [query];
}

/** Fields of numbers that editions have, not works. */
const NUMBER_FIELD = /^(?:isbn|lccn|oclc|ia|id_.+)$/;

/** Returns the part of a query that asks for whole numbers of editions; undefined without any. */
export function editionNumbersOf(query: Query): Query | undefined {
  const parts = conjunctsOf(mapLeaves(query, nameIsbn)).filter(
    (part) =>
      !hasNot(part) &&
      leavesOf(part).every(({ field, value }) => "text" in value && NUMBER_FIELD.test(field ?? "")),
  );
  return parts.length === 0 ? undefined : allOf(parts);
}

/** Names the field of a word that is an ISBN. */
function nameIsbn(leaf: Leaf): Leaf {
  const isbn = leaf.field === null && "text" in leaf.value ? parseIsbn(leaf.value.text) : undefined;
  return isbn === undefined ? leaf : equals("isbn", isbn);
}

/** Returns true if rows of editions have a field. */
export function isEditionField(field: string): boolean {
  return TEXTS.has(field) || ACCESS_FIELDS.has(field) || EDITION_VALUES.has(field) || field.startsWith("id_");
}

/** Returns true if rows of editions can decide a clause; other clauses are left to the works. */
function isAboutEditions(clause: Query): boolean {
  return leavesOf(clause).every(({ field, value }) => {
    if (field === null) return false;
    return isEditionField(field) || (value.kind === "exists" && fieldCodeOf(field) === undefined);
  });
}

function isAccess(clause: Query): boolean {
  return leavesOf(clause).every(({ field }) => ACCESS_FIELDS.has(field ?? ""));
}

/** Returns true if a work meets a clause if and only if one of its editions does. */
function isOfEditions(clause: Query): boolean {
  if (hasNot(clause) || clause.op === "and") return false;
  return leavesOf(clause).every(
    (leaf) =>
      EDITION_VALUES.has(leaf.field ?? "") ||
      (leaf.field ?? "").startsWith("id_") ||
      lowestLevelOf(leaf) !== undefined,
  );
}

/** Returns the match of a language, or one of several, with a minimum access; undefined for other clauses. */
function matchLanguageAndAccess(wanted: readonly Query[]): Match | undefined {
  const access = wanted.filter(isAccess);
  const others = wanted.filter((clause) => !isAccess(clause));
  const levels = access.map((clause) => (clause.op === "match" ? lowestLevelOf(clause) : undefined));
  const [clause] = others;
  if (others.length !== 1 || clause === undefined || access.length === 0) return undefined;
  const languages = languagesOf(clause);
  if (languages === undefined || levels.includes(undefined)) return undefined;
  const level = Math.max(...levels.map((known) => known ?? 0));
  const [first, ...more] = languages.map((language) => matchToken(languageAccessTokenOf(language, level)));
  return first === undefined ? undefined : disjoinMatches([first, ...more]);
}

function languagesOf(clause: Query): string[] | undefined {
  if (clause.op === "or") {
    const languages = clause.of.map(languagesOf);
    return languages.some((list) => list === undefined) ? undefined : languages.flatMap((list) => list ?? []);
  }
  if (clause.op !== "match" || clause.field !== "language") return undefined;
  return "text" in clause.value ? [clause.value.text] : undefined;
}

function lowestLevelOf({ field, value }: Leaf): number | undefined {
  const flag = ACCESS_FLAGS.get(field ?? "");
  if (flag !== undefined) return "text" in value && value.text === "true" ? flag : undefined;
  if (field !== "ebook_access") return undefined;
  if ("text" in value) return value.text === "public" ? levelOf(value.text) : undefined;
  const isOpen = value.kind === "range" && value.to === null && value.includesFrom;
  return isOpen ? levelOf(value.from ?? "no_ebook") : undefined;
}

/** Returns a text that is equal for equivalent conditions on works and on editions. */
function signatureOf(query: Query): string {
  return JSON.stringify(toWorkQuery(query));
}

function toWorkQuery(query: Query): Query {
  return mapLeaves(query, (leaf) => {
    const { field, value } = leaf;
    if (field === "key" || field === "edition_key") {
      return { ...leaf, boost: 1, field: "edition_key", value: removeFolder(value) };
    }
    return { ...leaf, boost: 1, field: field === "alternative_subtitle" ? "subtitle" : field };
  });
}

function removeFolder(value: Value): Value {
  if (value.kind === "word" || value.kind === "phrase")
    return { kind: value.kind, text: lastSegmentOf(value.text) };
  if (value.kind !== "pattern") return value;
  const [first = "", ...others] = value.parts;
  return { kind: "pattern", parts: [lastSegmentOf(first), ...others] };
}
