import { mapShelves, type ShelfCount } from "../../catalog/patrons/shelves.ts";
import { batchGroups, rows, type Database, type Statement } from "../statement.ts";

export const LEADERS_MAX = 50;

const RANKED: Readonly<Record<Leaderboard, string>> = {
  ...mapShelves("count", ({ count }) => count),
  ratings: "(ratings_1 + ratings_2 + ratings_3 + ratings_4 + ratings_5)",
};

export type Leaderboard = ShelfCount | "ratings";

interface Leader {
  readonly work: number;
  readonly count: number;
}

interface ReadingTotals {
  /** Entries of all shelves by shelf, and all ratings. */
  readonly totals: Readonly<Record<Leaderboard, number>>;
  /** Works that are on any shelf or rated. */
  readonly works: number;
  readonly readers: number;
  readonly leaders: Readonly<Record<Leaderboard, readonly Leader[]>>;
}

/**
 * Counts shelves and ratings, and ranks works by them. One round trip over all counted works: callers cache the result.
 */
export async function readReadingTotals(patrons: Database): Promise<ReadingTotals> {
  type Groups = Record<Leaderboard, Leader> & {
    sums: Record<Leaderboard, number> & { works: number };
    readers: { readers: number };
  };
  const {
    sums: summed,
    readers,
    ...ranked
  } = await batchGroups<Groups>(patrons, {
    ...mapShelves("count", ({ count }) => [leadersStatement(count)]),
    ratings: [leadersStatement("ratings")],
    sums: [{ sql: SUMS, values: [] }],
    readers: [{ sql: READERS, values: [] }],
  });
  const { works = 0, ...totals } = summed[0] ?? NOTHING;
  return { totals, works, readers: readers[0]?.readers ?? 0, leaders: ranked };
}

const READERS = "SELECT count(DISTINCT patron) AS readers FROM patron_work WHERE shelf IS NOT NULL";
const SUMS = `SELECT coalesce(sum(${Object.values(RANKED).join(" + ")} > 0), 0) AS works,
    ${Object.entries(RANKED)
      .map(([name, count]) => `coalesce(sum(${count}), 0) AS ${name}`)
      .join(", ")}
  FROM work_count`;
const NOTHING = { works: 0, ...mapShelves("count", () => 0), ratings: 0 };

function leadersStatement(board: Leaderboard): Statement {
  const ranked = RANKED[board];
  return {
    sql: `SELECT work_id AS work, ${ranked} AS count FROM work_count
          WHERE ${ranked} > 0 ORDER BY count DESC, work_id LIMIT ${LEADERS_MAX}`,
    values: [],
  };
}

/** Newest entries of all shelves, in which readers are searched. */
const ENTRIES_MAX = 1000;

/** Patron with a book on a shelf, or found by name. */
interface Reader {
  readonly username: string;
  readonly displayname: string;
}

/** Reads patrons who recently put a book onto a shelf, the latest first. One statement, along an index. */
export function readNewestReaders(patrons: Database, limit: number): Promise<Reader[]> {
  return rows<Reader>(patrons, {
    sql: `SELECT a.username, a.displayname FROM (
            SELECT patron, max(moved) AS moved FROM (
              SELECT patron, moved FROM patron_work WHERE shelf < 4 ORDER BY moved DESC LIMIT ${ENTRIES_MAX})
            GROUP BY patron) n JOIN account a ON a.username_folded = n.patron
          WHERE a.status = 'active' ORDER BY n.moved DESC, a.username_folded LIMIT ?1`,
    values: [limit],
  });
}
