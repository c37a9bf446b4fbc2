import { popularityToken } from "../../search/indexing/filter-token.ts";
import { withToken } from "../../search/plan/match.ts";
import { type Selection, excluding, narrowed } from "../../search/plan/selection.ts";
import { OF_KNOWN, idsSql, knownSql, narrowestSql, selectionSql } from "./selection.ts";
import type { SqlContext } from "./sql-values.ts";

const BY_POPULARITY = "ORDER BY boost DESC, id";
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
    `SELECT some.id AS id, ${OF_KNOWN.boost} AS boost FROM some ${knownSql(generation, "some.id")}
     WHERE ${isFew}${withoutSql(options, "some.id")} ${BY_POPULARITY} LIMIT ${need}`,
    `${worksSql(selection, { ...options, expression: level })} ${BY_POPULARITY} ${some}`,
    // They have one edition and no readers, all of them: they are equally popular.
    `${worksSql(unknown, { ...options, editions: "> 0" })} ORDER BY ${text}.rowid ${some}`,
    `${worksSql(unknown, { ...options, editions: "= 0" })} ${BY_POPULARITY} ${some}`,
  ];
  // What is not read is not looked for: every part waits until those before it have too few works.
  return `SELECT id, boost FROM (
    WITH some AS MATERIALIZED (${idsSql(selection, options)} LIMIT ${LOOKED_UP_MAX + 1})
    ${parts.map((part) => `SELECT id, boost FROM (${part})`).join(" UNION ALL ")}) ${page}`;
}

interface WorksOptions extends PopularOptions {
  /** SQL of the expression in place of that of the selection. */
  readonly expression?: string;
  /** SQL that restricts how many editions works have. */
  readonly editions?: string;
}

function worksSql(selection: Selection, options: WorksOptions): string {
  const found = selectionSql(selection, { ...options, withColumns: "popularity" });
  const editions = options.editions === undefined ? "" : ` AND ${found.editions} ${options.editions}`;
  return `SELECT ${found.id} AS id, ${found.boost} AS boost FROM ${found.from}
    WHERE ${found.where}${editions}${withoutSql(options, found.id)}`;
}

function withoutSql({ without }: PopularOptions, id: string): string {
  return without === undefined ? "" : ` AND ${id} NOT IN (${without})`;
}
