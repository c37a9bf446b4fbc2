import type { WorkSelection } from "../../../search/engine.ts";
import { workIdOfKey } from "../../../search/index/ids.ts";
import { type Match, allMatch, matchText } from "../../../search/plan/match.ts";
import { editionPlan } from "../../../search/plan/editions.ts";
import { type Plan, andPlan, drivenPlan } from "../../../search/plan/plan.ts";
import { planQuery, requestsOf } from "../../../search/plan/plan-query.ts";
import { checkBreadth, checkConditions, checkWords } from "../../../search/plan/too-broad.ts";
import type { Vocabulary } from "../../../search/plan/vocabulary.ts";
import { STRONG_WORK_FIELDS, WORK_FIELDS } from "../../../search/plan/work-fields.ts";
import type { IndexReader } from "../index-reader.ts";
import type { Generation } from "../generation.ts";
import { conditionSql } from "./conditions.ts";
import type { SqlValues } from "./sql-values.ts";
import { readVocabulary } from "./vocabulary.ts";

/** Which works, as the index answers it. */
export interface Selection {
  /** What the full-text table finds; undefined: every work is a candidate. */
  readonly match: Match | undefined;
  /** What else must hold. */
  readonly conditions: readonly Plan[];
  /** Only these works, each once. */
  readonly ids: readonly number[] | undefined;
}

/** A selection, and the part of it that has the words in the fields that count most. */
export interface PreparedSelection {
  /** Undefined: nothing can match. */
  readonly all: Selection | undefined;
  /** Undefined when it is nothing, or the same. */
  readonly strong: Selection | undefined;
}

/** Up to so many works are asked for one by one; of more, the full-text table is asked first. */
const PROBED_IDS_MAX = 1000;

/**
 * Plans a selection. Costs a round trip if there are wildcards to look up (search.md 3.5), else none. Throws a
 * `TooBroadError` for too many wildcards, words or numbers, and what the database throws.
 */
export async function prepareSelection(
  index: IndexReader,
  selection: WorkSelection,
): Promise<PreparedSelection> {
  const { query, filters, editionClauses } = selection;
  const queries = [query, ...filters, ...editionClauses];
  checkBreadth(queries);
  checkWords(queries, (field) => field === null || WORK_FIELDS.texts.has(field));
  const requests = requestsOf(queries, WORK_FIELDS);
  const vocabulary = await readVocabulary(index, requests);
  const all = selectionOf(selection, vocabulary, { index, isStrong: false });
  const strong = selectionOf(selection, vocabulary, { index, isStrong: true });
  const isSame =
    all?.match !== undefined &&
    strong?.match !== undefined &&
    matchText(all.match) === matchText(strong.match);
  return { all, strong: isSame ? undefined : strong };
}

/** The works of a selection that the full-text table finds by something else too. */
export function narrowed(selection: Selection, match: Match): Selection {
  return { ...selection, match: selection.match === undefined ? match : allMatch([selection.match, match]) };
}

/** Where the works of a selection come from. */
export interface SelectionSql {
  /** What follows FROM. */
  readonly from: string;
  /** What follows WHERE. */
  readonly where: string;
  /** The column with the number of the work. */
  readonly id: string;
}

/** What the SQL of a selection is made with. */
export interface SelectionSqlOptions {
  readonly generation: Generation;
  readonly values: SqlValues;
  /** Whether columns of `work_<generation>`, as `w`, are used besides the number. */
  readonly withColumns: boolean;
  /** SQL of the expression in place of that of the selection. */
  readonly expression?: string;
}

/** The SQL of a selection. */
export function selectionSql(selection: Selection, options: SelectionSqlOptions): SelectionSql {
  const { generation, values } = options;
  const { match, ids } = selection;
  const work = `work_${generation}`;
  const text = `work_text_${generation}`;
  const expression = options.expression ?? (match === undefined ? undefined : values.text(matchText(match)));
  const conditions = selection.conditions.map((plan) =>
    conditionSql(plan, { generation, values, driver: expression }),
  );
  const isProbed = ids !== undefined && (ids.length <= PROBED_IDS_MAX || expression === undefined);
  if (ids !== undefined && !isProbed) conditions.push(`w.id IN (${values.list(ids)})`);
  const keys = isProbed ? `(${values.list(ids ?? [])}) AS k CROSS JOIN ` : "";
  if (expression === undefined) {
    const where = [...(isProbed ? ["w.id = k.value"] : []), ...conditions];
    return { from: `${keys}${work} AS w`, where: where.join(" AND ") || "1", id: "w.id" };
  }
  const needsWork = options.withColumns || conditions.length > 0;
  const where = [
    `${text} MATCH ${expression}`,
    ...(isProbed ? [`${text}.rowid = k.value`] : []),
    ...(needsWork ? [`w.id = ${text}.rowid`] : []),
    ...conditions,
  ];
  const from = `${keys}${text}${needsWork ? ` CROSS JOIN ${work} AS w` : ""}`;
  return { from, where: where.join(" AND "), id: needsWork ? "w.id" : `${text}.rowid` };
}

interface PlanOptions {
  readonly index: IndexReader;
  readonly isStrong: boolean;
}

function selectionOf(
  { query, filters, editionClauses, keys }: WorkSelection,
  vocabulary: Vocabulary,
  { index, isStrong }: PlanOptions,
): Selection | undefined {
  const context = { scheme: WORK_FIELDS, vocabulary };
  const plan = andPlan([
    planQuery(
      query,
      isStrong ? { scheme: STRONG_WORK_FIELDS, excludedScheme: WORK_FIELDS, vocabulary } : context,
    ),
    ...filters.map((filter) => planQuery(filter, context)),
    editionPlan({ clauses: editionClauses, works: [query, ...filters], vocabulary }),
  ]);
  const driven = drivenPlan(plan);
  if (driven === undefined) return undefined;
  checkConditions(driven.conditions);
  const ids = keys?.flatMap((key) => workIdOfKey(key, index.prefix) ?? []);
  return { ...driven, ids: ids && [...new Set(ids)] };
}
