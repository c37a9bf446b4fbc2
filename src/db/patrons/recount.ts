import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { type Database, type Statement, batchRows, rows } from "../statement.ts";

/** Result of a part of a recount; `next` is the start of the next part, null at the end. */
export interface Recounted {
  readonly wrong: readonly number[];
  readonly next: number | null;
}

/** Works, and days, that are recounted at once. */
const RECOUNT_WORKS_MAX = 500;
const RECOUNT_DAYS_MAX = 7;

const PAGE = `
  page AS (
    SELECT work_id FROM (SELECT DISTINCT work_id FROM patron_work WHERE work_id > ?1 ORDER BY work_id LIMIT ?2)
    UNION SELECT work_id FROM (SELECT work_id FROM work_count WHERE work_id > ?1 ORDER BY work_id LIMIT ?2)
    UNION SELECT work_id FROM (SELECT DISTINCT work_id FROM observation_count WHERE work_id > ?1 ORDER BY work_id LIMIT ?2)
    ORDER BY work_id LIMIT ?2
  )`;
const GIVEN = "page AS (SELECT value AS work_id FROM json_each(?1))";

/** Columns of `work_count` except for number and version, and their conditions. */
const SUMS = [
  ...[1, 2, 3, 4, 5].map((stars) => ({ column: `ratings_${stars}`, counted: `w.stars IS ${stars}` })),
  ...SHELVES.map(({ id, count }) => ({ column: count, counted: `w.shelf IS ${id}` })),
];
const COLUMNS = SUMS.map(({ column }) => column);
/** Common table expression that needs `page`. */
const COUNTED = `
  counted AS (
    SELECT p.work_id, ${SUMS.map(({ column, counted }) => `sum(${counted}) AS ${column}`).join(", ")}
    FROM page p LEFT JOIN patron_work w ON w.work_id = p.work_id GROUP BY p.work_id
  )`;

/** Common table expression with the columns of `observation_count`; needs `page`. */
const OBSERVED = `
  observed AS (
    SELECT work_id, code, count(*) AS patrons FROM (
      SELECT w.work_id, w.patron, o.value AS code
      FROM page p JOIN patron_work w ON w.work_id = p.work_id JOIN json_each(w.observations) o
      UNION SELECT w.work_id, w.patron, substr(o.value, 1, instr(o.value, '.') - 1)
      FROM page p JOIN patron_work w ON w.work_id = p.work_id JOIN json_each(w.observations) o
      UNION SELECT w.work_id, w.patron, ''
      FROM page p JOIN patron_work w ON w.work_id = p.work_id WHERE w.observations IS NOT NULL
    ) GROUP BY work_id, code
  )`;
const STORED = `
  stored AS (
    SELECT o.work_id, o.code, o.patrons FROM page p JOIN observation_count o ON o.work_id = p.work_id
  )`;

const CHECK_WORKS = `
  WITH ${PAGE}, ${COUNTED}, ${OBSERVED}, ${STORED},
  wrong AS (
    SELECT c.work_id FROM counted c LEFT JOIN work_count k ON k.work_id = c.work_id
    WHERE ${COLUMNS.map((column) => `c.${column} <> coalesce(k.${column}, 0)`).join(" OR ")}
    UNION SELECT work_id FROM (SELECT * FROM observed EXCEPT SELECT * FROM stored)
    UNION SELECT work_id FROM (SELECT * FROM stored EXCEPT SELECT * FROM observed)
  )
  SELECT p.work_id AS id, w.work_id IS NOT NULL AS isWrong
  FROM page p LEFT JOIN wrong w ON w.work_id = p.work_id ORDER BY p.work_id`;

/** Compares counts of the works after a number with the counted rows. One statement. */
export async function recountWorks(patrons: Database, after: number): Promise<Recounted> {
  const checked = await rows<CheckedRow>(patrons, { sql: CHECK_WORKS, values: [after, RECOUNT_WORKS_MAX] });
  return {
    wrong: wrongOf(checked),
    next: checked.length < RECOUNT_WORKS_MAX ? null : (checked.at(-1)?.id ?? null),
  };
}

/** Days from ?1 on, ?2 of them: entries of works by day, counted from rows and as stored. */
const DAYS = `
  counted AS (
    SELECT logged / 86400000 AS day, work_id, count(*) AS entries FROM patron_work
    WHERE shelf < 4 AND logged >= ?1 * 86400000 AND logged < (?1 + ?2) * 86400000 GROUP BY 1, 2
  ),
  stored AS (SELECT day, work_id, entries FROM work_day WHERE day >= ?1 AND day < ?1 + ?2)`;
const CHECK_DAYS = `
  WITH ${DAYS}
  SELECT day AS id, 1 AS isWrong FROM (SELECT * FROM counted EXCEPT SELECT * FROM stored)
  UNION SELECT day, 1 FROM (SELECT * FROM stored EXCEPT SELECT * FROM counted) ORDER BY id`;
const NEXT_DAY = `
  SELECT min(day) AS id, 0 AS isWrong FROM (
    SELECT min(logged) / 86400000 AS day FROM patron_work WHERE shelf < 4 AND logged >= (?1 + ?2) * 86400000
    UNION ALL SELECT min(day) FROM work_day WHERE day >= ?1 + ?2
  )`;

/** Compares counts of the days from one on, in days since the epoch, with the counted rows. One round trip. */
export async function recountDays(patrons: Database, from: number): Promise<Recounted> {
  const values = [from, RECOUNT_DAYS_MAX];
  const statements: Statement[] = [CHECK_DAYS, NEXT_DAY].map((sql) => ({ sql, values }));
  const [checked = [], next = []] = await batchRows(patrons, statements);
  // The rows have the columns of their statements; the minimum of no days is null.
  return {
    wrong: wrongOf(checked as CheckedRow[]),
    next: (next[0] as { id: number | null } | undefined)?.id ?? null,
  };
}

interface CheckedRow {
  readonly id: number;
  readonly isWrong: 0 | 1;
}

function wrongOf(checked: readonly CheckedRow[]): number[] {
  return checked.filter(({ isWrong }) => isWrong === 1).map(({ id }) => id);
}

/** Recounts works and stores the results, in one transaction. */
export async function repairWorks(patrons: Database, works: readonly number[]): Promise<void> {
  if (works.length === 0) return;
  const values = [JSON.stringify(works)];
  await batchRows(patrons, [
    { sql: "DELETE FROM observation_count WHERE work_id IN (SELECT value FROM json_each(?1))", values },
    { sql: `WITH ${GIVEN}, ${OBSERVED} INSERT INTO observation_count SELECT * FROM observed`, values },
    {
      sql: `WITH ${GIVEN}, ${COUNTED}
            INSERT INTO work_count
            SELECT *, (SELECT coalesce(max(version), 0) FROM work_count) + (row_number() OVER (ORDER BY work_id))
            FROM counted WHERE true
            ON CONFLICT (work_id) DO UPDATE SET
              ${[...COLUMNS, "version"].map((column) => `${column} = excluded.${column}`).join(", ")}`,
      values,
    },
  ]);
}

/** Recounts days and stores the results, each in one transaction. */
export async function repairDays(patrons: Database, days: readonly number[]): Promise<void> {
  for (const day of days) {
    await batchRows(patrons, [
      { sql: "DELETE FROM work_day WHERE day = ?1", values: [day] },
      { sql: `WITH ${DAYS} INSERT INTO work_day SELECT * FROM counted`, values: [day, 1] },
    ]);
  }
}
