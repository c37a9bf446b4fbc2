import { type Database, type Statement, batchRows, firstRow, overList, prepare, rows } from "../statement.ts";

/** A work that became another one, and whose patrons are visited. Times are milliseconds since the epoch. */
export interface WorkMove {
  /** Number of the work's key. */
  readonly from: number;
  /** Patrons up to this name have been visited in this pass. */
  readonly after: string;
  readonly created: number;
}

/** What stands of anonymous patrons, whose rows are all that there is of them. Nobody else can have such a name. */
const ANONYMOUS = "patron >= 'anonymous-' AND patron < 'anonymous.'";
const MOVE = 'from_id AS "from", after, created';

/** True when no patron holds anything. One statement. */
export async function isNothingHeld(patrons: Database): Promise<boolean> {
  const sql = "SELECT EXISTS (SELECT 1 FROM patron_work) AS held";
  return (await firstRow<{ held: number }>(patrons, { sql, values: [] }))?.held !== 1;
}

/**
 * Notes works whose patrons are to be visited: those that somebody holds, and those of `always`, of which messages may
 * still be on their way. Returns the numbers of those that were noted. One round trip.
 */
export async function openMoves(
  patrons: Database,
  { works, always, now }: { works: readonly number[]; always: readonly number[]; now: number },
): Promise<number[]> {
  const statements = [
    ...insertion(works, now, "AND EXISTS (SELECT 1 FROM patron_work WHERE work_id = e.value)"),
  ];
  const results = await batchRows(patrons, [...statements, ...insertion(always, now, "")]);
  // The rows are those that the statements return.
  return (results.flat() as { work: number }[]).map(({ work }) => work);
}

function insertion(works: readonly number[], now: number, condition: string): Statement[] {
  return overList(
    works,
    `INSERT INTO work_move (from_id, created, updated)
     SELECT e.value, ${Number(now)}, ${Number(now)} FROM json_each(?1) e WHERE true ${condition}
     ON CONFLICT (from_id) DO UPDATE SET after = '', created = excluded.created
     RETURNING from_id AS work`,
  );
}

/** A move that is under way; undefined when it is done. */
export function readMove(patrons: Database, from: number): Promise<WorkMove | undefined> {
  return firstRow<WorkMove>(patrons, {
    sql: `SELECT ${MOVE} FROM work_move WHERE from_id = ?1`,
    values: [from],
  });
}

/** Moves that nobody has worked on since `before`, those left alone for longest first. */
export async function idleMoves(patrons: Database, before: number, limit: number): Promise<number[]> {
  const found = await rows<{ work: number }>(patrons, {
    sql: "SELECT from_id AS work FROM work_move WHERE updated <= ?1 ORDER BY updated LIMIT ?2",
    values: [before, limit],
  });
  return found.map(({ work }) => work);
}

/** Patrons who hold anything of a work, after a name; without those who have no name any more. */
export async function readHolders(
  patrons: Database,
  work: number,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const found = await rows<{ patron: string }>(patrons, {
    sql: `SELECT patron FROM patron_work WHERE work_id = ?1 AND patron > ?2 AND held = 1 AND NOT (${ANONYMOUS})
          ORDER BY patron LIMIT ?3`,
    values: [work, after, limit],
  });
  return found.map(({ patron }) => patron);
}

/** Notes how far a pass has come; "" when it is over and the next one begins at the start. */
export async function noteMove(patrons: Database, move: WorkMove, now: number): Promise<void> {
  const sql = "UPDATE work_move SET after = ?2, updated = ?3 WHERE from_id = ?1";
  await prepare(patrons, { sql, values: [move.from, move.after, now] }).run();
}

/** Forgets a move that is done, unless it was asked for again since. */
export async function endMove(patrons: Database, { from, created }: WorkMove): Promise<void> {
  const sql = "DELETE FROM work_move WHERE from_id = ?1 AND created = ?2";
  await prepare(patrons, { sql, values: [from, created] }).run();
}

const ENTRY = ["shelf", "edition_id", "logged", "moved"];
const RATING = ["stars", "rated_edition_id", "rated"];
const AWARD = ["award_id", "award_topic"];

/** Of a group of columns, those of the row that is there stay, if its first one says something. */
function kept(columns: readonly string[]): string {
  const [first] = columns;
  return columns
    .map((name) => `${name} = iif(patron_work.${first} IS NULL, excluded.${name}, patron_work.${name})`)
    .join(", ");
}

/** Moves what removed accounts have left of a work to another one. One transaction. */
export async function moveAnonymous(patrons: Database, from: number, to: number): Promise<void> {
  const columns = [...ENTRY, ...RATING, "observations", ...AWARD].join(", ");
  await batchRows(patrons, [
    {
      sql: `INSERT INTO patron_work (patron, work_id, sequence, held, ${columns})
            SELECT patron, ?2, sequence, held, ${columns} FROM patron_work
            WHERE work_id = ?1 AND ${ANONYMOUS}
            ON CONFLICT (patron, work_id) DO UPDATE SET ${kept(ENTRY)}, ${kept(RATING)}, ${kept(AWARD)},
              observations = (SELECT json_group_array(value) FROM (
                SELECT value FROM json_each(patron_work.observations)
                UNION SELECT value FROM json_each(excluded.observations)) HAVING count(*) > 0)`,
      values: [from, to],
    },
    { sql: `DELETE FROM patron_work WHERE work_id = ?1 AND ${ANONYMOUS}`, values: [from] },
  ]);
}
