import { type Database, type Statement, rows } from "../statement.ts";

/** How many patrons observed what of a work (patrons.md 10). */
export interface ObservationCounts {
  /** Patrons who observed anything. */
  readonly respondents: number;
  /** Patrons who observed anything of a type, by its number. */
  readonly types: ReadonlyMap<number, number>;
  /** Patrons who chose a value, by `<type>.<value>`. */
  readonly values: ReadonlyMap<string, number>;
}

/** What a work has of which nobody observed anything. */
export const NO_OBSERVATIONS: ObservationCounts = { respondents: 0, types: new Map(), values: new Map() };

/** A row of `observation_count`. */
export interface ObservationCountRow {
  readonly work_id: number;
  /** `<type>.<value>`; `<type>`: anything of that type; "": anything. */
  readonly code: string;
  readonly patrons: number;
}

/** Counts of observations of works, by the numbers of their keys; works without any are absent. One statement. */
export async function readObservationCounts(
  patrons: Database,
  works: readonly number[],
): Promise<Map<number, ObservationCounts>> {
  if (works.length === 0) return new Map();
  const found = await rows<ObservationCountRow>(patrons, observationCounts(works));
  const byWork = Map.groupBy(found, (row) => row.work_id);
  return new Map([...byWork].map(([work, own]) => [work, countsOfRows(own)]));
}

/** The statement that reads them. */
export function observationCounts(works: readonly number[]): Statement {
  const sql = `SELECT work_id, code, patrons FROM observation_count
               WHERE work_id IN (SELECT value FROM json_each(?1)) ORDER BY work_id, code`;
  return { sql, values: [JSON.stringify(works)] };
}

/** The counts that the rows of one work make. */
export function countsOfRows(rowsOfWork: readonly ObservationCountRow[]): ObservationCounts {
  const [types, values] = [new Map<number, number>(), new Map<string, number>()];
  let respondents = 0;
  for (const { code, patrons } of rowsOfWork) {
    if (code === "") respondents = patrons;
    else if (code.includes(".")) values.set(code, patrons);
    else types.set(Number(code), patrons);
  }
  return { respondents, types, values };
}
