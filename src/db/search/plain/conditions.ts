import { matchText } from "../../../search/plan/match.ts";
import type { PlainPlan } from "../../../search/plain/plan.ts";

/** The tables of a scheme in one generation. */
export interface SchemeTables {
  /** Such as `author_a`. */
  readonly table: string;
  /** Such as `author_text_a`. */
  readonly text: string;
}

/** Values of a statement, which travel as one list: D1 binds 100 at most. */
export class BoundValues {
  private readonly list: (string | number | null)[] = [];

  /** Stands for a value in the SQL. */
  add(value: string | number | null): string {
    this.list.push(value);
    return `(?1 ->> ${this.list.length - 1})`;
  }

  /** What is bound to `?1`. */
  get values(): [string] {
    return [JSON.stringify(this.list)];
  }
}

/** The SQL of a plan, over rows of the scheme's table. */
export function conditionSql(plan: PlainPlan, tables: SchemeTables, bound: BoundValues): string {
  const { table, text } = tables;
  switch (plan.kind) {
    case "all":
      return "1";
    case "none":
      return "0";
    case "match":
      return `${table}.id IN (SELECT rowid FROM ${text} WHERE ${text} MATCH ${bound.add(matchText(plan.match))})`;
    case "compare":
      return `${table}.${plan.column} ${plan.operator} ${bound.add(plan.value)}`;
    case "present":
      return `${table}.document ->> ${bound.add(`$.${plan.member}`)} IS NOT NULL`;
    case "not":
      return `NOT coalesce(${conditionSql(plan.of, tables, bound)}, 0)`;
    default:
      return joinedSql(
        plan.of.map((part) => conditionSql(part, tables, bound)),
        plan.kind === "and" ? "AND" : "OR",
      );
  }
}

/** Joins as a balanced tree: SQLite limits the depth of an expression. */
function joinedSql(conditions: readonly string[], operator: "AND" | "OR"): string {
  if (conditions.length <= 1) return conditions[0] ?? "1";
  const half = Math.ceil(conditions.length / 2);
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)];
  return `(${joinedSql(left, operator)} ${operator} ${joinedSql(right, operator)})`;
}
