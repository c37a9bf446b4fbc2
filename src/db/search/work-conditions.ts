import { matchText } from "../../search/plan/match.ts";
import type { Bounds, Plan } from "../../search/plan/plan.ts";
import { type SqlContext, joinSql } from "./sql-values.ts";
import { workOfRow } from "./text-rows.ts";

interface ConditionContext extends SqlContext {
  /** Expression of the rows to check, if there is one. */
  readonly driver: string | undefined;
}

/**
 * Maximum number of works whose editions are looked up one work at a time. Beyond it, all matching editions are read.
 */
const PROBED_WORKS_MAX = 2000;
/** Number of rows of `edition_text` per work, as a power of two (src/search/indexing/ids.ts). */
const EDITION_ROWS_BITS = 13;
const EDITION_ROWS = 2 ** EDITION_ROWS_BITS;

/** Returns the SQL of a plan over rows of `work_<generation>` as `w`. */
export function conditionSql(plan: Plan, context: ConditionContext): string {
  const { generation, values } = context;
  switch (plan.kind) {
    case "all":
      return "1";
    case "none":
      return "0";
    case "match": {
      const table = `work_text_${generation}`;
      const expression = values.text(matchText(plan.match));
      return `w.id IN (SELECT ${workOfRow("rowid")} FROM ${table} WHERE ${table} MATCH ${expression})`;
    }
    case "number":
      return boundsSql(`w.${plan.column}`, plan.bounds, String);
    case "text":
      return boundsSql(`w.${plan.column}`, plan.bounds, (text) => values.text(text));
    case "values": {
      const inside = boundsSql("value", plan.bounds, (text) => values.text(text));
      return `w.id IN (SELECT id FROM work_value_${generation} WHERE field = '${plan.field}' AND ${inside})`;
    }
    case "edition":
      return editionSql(matchText(plan.match), context);
    case "not":
      return `NOT coalesce(${conditionSql(plan.of, context)}, 0)`;
    default:
      return joinSql(
        plan.of.map((part) => conditionSql(part, context)),
        plan.kind === "and" ? "AND" : "OR",
      );
  }
}

function boundsSql<Type>(
  column: string,
  { from, to, includesFrom, includesTo }: Bounds<Type>,
  write: (value: Type) => string,
): string {
  const parts = [
    ...(from === undefined ? [] : [`${column} ${includesFrom ? ">=" : ">"} ${write(from)}`]),
    ...(to === undefined ? [] : [`${column} ${includesTo ? "<=" : "<"} ${write(to)}`]),
  ];
  return parts.length === 0 ? `${column} IS NOT NULL` : `(${parts.join(" AND ")})`;
}

/** Returns SQL for works with a matching edition, or without any editions (Q71). */
function editionSql(match: string, { generation, values, driver }: ConditionContext): string {
  const table = `edition_text_${generation}`;
  const matched = `SELECT rowid >> ${EDITION_ROWS_BITS} FROM ${table} WHERE ${table} MATCH ${values.text(match)}`;
  const among = `w.id IN (${matched})`;
  if (driver === undefined) return `(w.edition_count = 0 OR ${among})`;
  const first = `w.id * ${EDITION_ROWS}`;
  const probed = `EXISTS (${matched} AND rowid BETWEEN ${first} AND ${first} + ${EDITION_ROWS - 1})`;
  const text = `work_text_${generation}`;
  const few = `(SELECT count(*) FROM (SELECT 1 FROM ${text} WHERE ${text} MATCH ${driver}
    LIMIT ${PROBED_WORKS_MAX + 1})) <= ${PROBED_WORKS_MAX}`;
  return `(w.edition_count = 0 OR CASE WHEN ${few} THEN ${probed} ELSE ${among} END)`;
}
