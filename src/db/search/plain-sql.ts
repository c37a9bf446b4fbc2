import type { Generation } from "../../search/engine.ts";
import type { PlainPlan } from "../../search/plan/plain-query.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { matchTextOf } from "../../search/plan/match.ts";
import { joinSql } from "./sql-values.ts";
import { numberOfRow } from "./text-rows.ts";

export interface SchemeTables {
  readonly table: string;
  readonly text: string;
}

/** Values of a statement, sent as one list: D1 binds at most 100. */
export class BoundValues {
  private readonly list: (string | number | null)[] = [];

  add(value: string | number | null): string {
    this.list.push(value);
    return `(?1 ->> ${this.list.length - 1})`;
  }

  /** Value to bind to `?1`. */
  get values(): [string] {
    return [JSON.stringify(this.list)];
  }
}

/** Returns the SQL of a plan, over rows of the table of the scheme. */
export function plainConditionSql(plan: PlainPlan, tables: SchemeTables, bound: BoundValues): string {
  const { table, text } = tables;
  switch (plan.kind) {
    case "all":
      return "1";
    case "none":
      return "0";
    case "match":
      return `${table}.id IN (SELECT ${numberOfRow("rowid")} FROM ${text} WHERE ${text} MATCH ${bound.add(matchTextOf(plan.match))})`;
    case "compare":
      return `${table}.${plan.column} ${plan.operator} ${bound.add(plan.value)}`;
    case "present":
      return `${table}.document ->> ${bound.add(`$.${plan.member}`)} IS NOT NULL`;
    case "not":
      return `NOT coalesce(${plainConditionSql(plan.of, tables, bound)}, 0)`;
    default:
      return joinSql(
        plan.of.map((part) => plainConditionSql(part, tables, bound)),
        plan.kind === "and" ? "AND" : "OR",
      );
  }
}

export function tablesOf(scheme: PlainScheme, generation: Generation): SchemeTables {
  return { table: `${scheme}_${generation}`, text: `${scheme}_text_${generation}` };
}
