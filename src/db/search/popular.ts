import { popularityToken } from "../../search/indexing/filter-token.ts";
import { withToken } from "../../search/plan/match.ts";
import { type Selection, excluding, narrowed } from "../../search/plan/selection.ts";
import { idsSql, narrowestSql, popularityOf, selectionSql } from "./selection.ts";
import type { SqlContext } from "./sql-values.ts";

const BY_POPULARITY = "ORDER BY w.boost DESC, w.id";
/** Up to so many works are looked up by popularity. */
const LOOKED_UP_MAX = 500;
/** Works with readers or several editions. */
const KNOWN = withToken(popularityToken(0));
/** Levels that are looked at, from the fewest works to all known ones: each holds exactly the works above it. */
const LEVELS = [...[6, 4, 2].map((level) => withToken(popularityToken(level))), KNOWN];

/** What works in order of popularity are asked for. */
interface PopularOptions extends SqlContext {
  /** SQL of how many works to leave out at the start, and of how many to return. */
  readonly offset: string;
  readonly limit: string;
  /** How many of the most popular works are looked at: the works left out and those returned are among them. */
  readonly need: number;
  /** SQL of the numbers of works that are left out. */
  readonly without?: string;
}

/**
 * SQL for the numbers of a selection's works, as `id`, and their popularity, as `boost`, the most popular first; equally popular ones by number. Only
 * works that are known to somebody are looked up one by one: the many others are equally popular, and the full-text
 * table yields them by number.
 */
export function popularSql(selection: Selection, options: PopularOptions): string {
  const { generation, limit, offset, need } = options;
  const text = `work_text_${generation}`;
  const page = `LIMIT ${limit} OFFSET ${offset}`;
  const { match, ids } = selection;
  if (match === undefined || ids !== undefined)
    return `${worksSql(selection, options)} ${BY_POPULARITY} ${page}`;
  const unknown = excluding(selection, KNOWN);
  const levels = LEVELS.map((level) => narrowed(selection, level));
  const level = narrowestSql(levels, options);
  const isFew = `(SELECT count(*) FROM some) <= ${LOOKED_UP_MAX}`;
  const some = `LIMIT iif(${isFew}, 0, ${need})`;
  const parts = [
    `SELECT w.id AS id, w.boost AS boost FROM some CROSS JOIN ${popularityOf(generation)} ON w.id = some.id
     WHERE ${isFew}${withoutSql(options)} ${BY_POPULARITY} LIMIT ${need}`,
    `${worksSql(selection, options, level)} ${BY_POPULARITY} ${some}`,
    // They have one edition and no readers, all of them: they are equally popular.
    `${worksSql(unknown, options)} AND w.edition_count > 0 ORDER BY ${text}.rowid ${some}`,
    `${worksSql(unknown, options)} AND w.edition_count = 0 ${BY_POPULARITY} ${some}`,
  ];
  // What is not read is not looked for: every part waits until those before it have too few works.
  return `SELECT id, boost FROM (
    WITH some AS MATERIALIZED (${idsSql(selection, options)} LIMIT ${LOOKED_UP_MAX + 1})
    ${parts.map((part) => `SELECT id, boost FROM (${part})`).join(" UNION ALL ")}) ${page}`;
}

function worksSql(selection: Selection, options: PopularOptions, expression?: string): string {
  const { from, where } = selectionSql(selection, { ...options, withColumns: "popularity", expression });
  return `SELECT w.id AS id, w.boost AS boost FROM ${from} WHERE ${where}${withoutSql(options)}`;
}

function withoutSql({ without }: PopularOptions): string {
  return without === undefined ? "" : ` AND w.id NOT IN (${without})`;
}
