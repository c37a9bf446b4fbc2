import { lastSegmentOf } from "../../catalog/keys.ts";
import { type ShelfCounts, SHELVES, mapShelves } from "../../catalog/patrons/shelves.ts";
import { joinTitle } from "../../search/documents/titles.ts";
import { type AuthorDocument, type StoredAuthor, NO_COUNTS } from "../../search/documents/types.ts";
import type { Versioned } from "../../search/engine.ts";
import {
  type AuthorTally,
  type ShareChange,
  type TalliedSubject,
  type TalliedSums,
  AUTHOR_SUBJECT_WORKS_MAX,
  TALLIED_SUBJECTS_MAX,
  changeSums,
  tallySubjects,
  topSubjectsOf,
} from "../../search/indexing/author-tally.ts";
import { toFilterToken, quoteTokenPhrase } from "../../search/indexing/filter-token.ts";
import { authorIdOfKey, keyOfAuthorId, authorRowId } from "../../search/indexing/ids.ts";
import { toAuthorRows } from "../../search/indexing/plain-rows.ts";
import { subjectCountsSql } from "../search/facets.ts";
import type { IndexReader } from "../search/index-reader.ts";
import { numberOfRow } from "../search/text-rows.ts";
import type { Statement } from "../statement.ts";
import type { TalliedRows } from "./write-documents.ts";

/** Maximum number of authors whose works are read by one statement. */
export const SUMMED_AUTHORS_MAX = 200;

export interface SumsRow extends ShelfCounts, Readonly<Record<`r${1 | 2 | 3 | 4 | 5}`, number>> {
  readonly author: number;
  readonly works: number;
  /** Number and editions of the work with most editions. */
  readonly top: number;
  readonly editions: number;
  readonly title: string | null;
  readonly subtitle: string | null;
  /** JSON list of `TalliedSubject`, most frequent first; null if the works have none. */
  readonly subjects: string | null;
}

export function numberAuthors(
  authors: readonly Versioned<AuthorDocument>[],
  prefix: string,
): NumberedAuthor[] {
  return authors.flatMap(({ document, version }) => {
    const id = authorIdOfKey(document.key, prefix);
    return id === undefined ? [] : [{ id, version, document }];
  });
}

export const NO_SUMS: TalliedSums = {
  sums: { work_count: 0, top_subjects: [], counts: NO_COUNTS },
  tally: { top: null, ...tallySubjects([]) },
};

/**
 * Returns the statement of the sums over the indexed works of authors, at most `SUMMED_AUTHORS_MAX` so that no statement
 * runs for long.
 */
export function sumsStatement(
  ids: readonly number[],
  { generation, prefix }: Pick<IndexReader, "generation" | "prefix">,
): Statement | [] {
  if (ids.length === 0) return [];
  const phrases = ids.map((id) => [
    id,
    quoteTokenPhrase(toFilterToken("ak", lastSegmentOf(keyOfAuthorId(id, prefix)))),
  ]);
  const work = `work_${generation}`;
  const text = `work_text_${generation}`;
  const works = `works AS MATERIALIZED (
      SELECT a.value ->> 0 AS owner, ${work}.id, ratings, edition_count,
        ${SHELVES.map(({ count }) => `${count}_count`).join(", ")},
        row_number() OVER (PARTITION BY a.value ->> 0 ORDER BY edition_count DESC, ${work}.id) AS place
      FROM json_each(?1) a CROSS JOIN ${text} CROSS JOIN ${work} ON ${work}.id = ${numberOfRow(`${text}.rowid`)}
      WHERE ${text} MATCH a.value ->> 1)`;
  const stars = [1, 2, 3, 4, 5].map((star) => `coalesce(sum(w.ratings ->> ${star - 1}), 0) AS r${star}`);
  const shelved = SHELVES.map(({ count, member }) => `sum(w.${count}_count) AS ${member}`);
  const counted = `(SELECT owner, id FROM works WHERE place <= ${AUTHOR_SUBJECT_WORKS_MAX})`;
  const limit = TALLIED_SUBJECTS_MAX + 1;
  const subjects = `subjects AS MATERIALIZED (
      SELECT owner, json_group_array(json_array(field, value, count) ORDER BY count DESC, value DESC) AS list
      FROM (${subjectCountsSql(counted, generation, { limit })}) GROUP BY owner)`;
  const sql = `WITH ${works}, ${subjects}
    SELECT w.owner AS author, count(*) AS works, ${[...shelved, ...stars].join(", ")},
      max(iif(w.place = 1, w.id, NULL)) AS top, max(w.edition_count) AS editions,
      max(d.document ->> 'title') AS title, max(d.document ->> 'subtitle') AS subtitle, max(s.list) AS subjects
    FROM works w LEFT JOIN work_document_${generation} d ON d.id = w.id AND w.place = 1
    LEFT JOIN subjects s ON s.owner = w.owner AND w.place = 1 GROUP BY w.owner`;
  return { sql, values: [JSON.stringify(phrases)] };
}

/** Returns the sums of an author's row of `sumsStatement`; an author without works has none. */
function sumsOfRow(row: SumsRow | undefined): TalliedSums {
  if (row === undefined) return NO_SUMS;
  // JSON list built by the statement.
  const subjects = JSON.parse(row.subjects ?? "[]") as TalliedSubject[];
  const ratings = [row.r1, row.r2, row.r3, row.r4, row.r5] as const;
  const isTallied = row.works <= AUTHOR_SUBJECT_WORKS_MAX;
  return {
    sums: {
      work_count: row.works,
      ...(row.title !== null && { top_work: joinTitle(row.title, row.subtitle ?? undefined) }),
      top_subjects: topSubjectsOf(subjects),
      counts: { ratings, ...mapShelves("member", ({ member }) => row[member]) },
    },
    tally: {
      top: [row.editions, row.top],
      ...(isTallied ? tallySubjects(subjects) : { subjects: [], rest: null }),
    },
  };
}

/**
 * Maximum number of works of an author whose sums are updated with every write of a work. The nightly pass updates the
 * others.
 */
export const SUMMED_WORKS_MAX = 20_000;

export interface AuthorRow {
  readonly id: number;
  readonly version: number;
  readonly document: string;
  readonly work_count: number;
  readonly tally: string | null;
}

/** Returns a statement that reads the rows of authors, and of those whose works in the index have some numbers. */
export function authorRowsStatement(
  { ids, works }: { readonly ids: Iterable<number>; readonly works: readonly number[] },
  { generation, prefix }: Pick<IndexReader, "generation" | "prefix">,
): Statement {
  return {
    sql: `SELECT id, version, document, work_count, tally FROM author_${generation} WHERE id IN (
            SELECT value FROM json_each(?1) UNION
            SELECT CAST(substr(a.value, ${prefix.length + 1}) AS INTEGER)
            FROM json_each(?2) j JOIN work_document_${generation} d ON d.id = j.value
            CROSS JOIN json_each(d.document -> 'author_key') a)`,
    values: [JSON.stringify([...ids]), JSON.stringify(works)],
  };
}

export type NumberedAuthor = Versioned<AuthorDocument> & { readonly id: number };

interface AuthorsPlan {
  /** Authors to write. Texts are those whose words or text row may have changed. */
  readonly written: readonly TalliedRows[];
  readonly texts: readonly TalliedRows[];
  /** Authors whose sums have to be computed from all works. */
  readonly unsummed: readonly NumberedAuthor[];
}

/**
 * Plans the writes of updated authors, whose sums are computed from the works before the changes, and of the other
 * authors of changed works.
 */
export function planAuthors(
  updated: readonly NumberedAuthor[],
  {
    authorRows,
    sums,
    changes,
  }: {
    readonly authorRows: readonly AuthorRow[];
    readonly sums: readonly SumsRow[];
    readonly changes: readonly ShareChange[];
  },
): AuthorsPlan {
  const stored = new Map(authorRows.map((row) => [row.id, row]));
  const sumsById = new Map(sums.map((row) => [row.author, row]));
  const summed = new Map(
    updated
      .filter(({ id, version }) => version >= (stored.get(id)?.version ?? 0))
      .map((author) => [author.id, { author, state: sumsOfRow(sumsById.get(author.id)) }]),
  );
  const affected = new Set(
    changes.flatMap(({ before, after }) => [...(before?.authors ?? []), ...(after?.authors ?? [])]),
  );
  const others = authorRows
    .filter(({ id, work_count: works }) => affected.has(id) && !summed.has(id) && works <= SUMMED_WORKS_MAX)
    .map(storedSumsOf);
  const unsummed: NumberedAuthor[] = [];
  const planned = [...summed.values(), ...others].flatMap(({ author, state }) => {
    const next = state && changeSums(author.id, state, changes);
    if (next === undefined) {
      unsummed.push(author);
      return [];
    }
    const rows: TalliedRows = {
      ...toAuthorRows(author.document, { ...author, sums: next.sums }),
      tally: JSON.stringify(next.tally),
    };
    const row = stored.get(author.id);
    const isMoved = rows.textRow !== authorRowId(author.id, row?.work_count ?? 0);
    const hasNewWords =
      isMoved || summed.has(author.id) || next.sums.top_subjects !== state?.sums.top_subjects;
    return isStored(rows, row) ? [] : [{ rows, hasNewWords }];
  });
  return {
    written: planned.map(({ rows }) => rows),
    texts: planned.flatMap(({ rows, hasNewWords }) => (hasNewWords ? rows : [])),
    unsummed,
  };
}

function storedSumsOf({ id, version, document, tally }: AuthorRow) {
  // The columns hold what `planAuthors` wrote.
  const stored = JSON.parse(document) as StoredAuthor;
  const { work_count, top_work, top_subjects, counts } = stored;
  const sums = { work_count, ...(top_work !== undefined && { top_work }), top_subjects, counts };
  return {
    author: { id, version, document: omitSums(stored) },
    state: tally === null ? undefined : { sums, tally: JSON.parse(tally) as AuthorTally },
  };
}

function isStored({ version, columns, tally }: TalliedRows, row: AuthorRow | undefined): boolean {
  return row?.version === version && row.tally === tally && columns.includes(row.document);
}

/** Removes the members computed from an author's works, because some may no longer apply. */
export function omitSums({
  work_count: _count,
  top_work: _work,
  top_subjects: _subjects,
  counts: _counts,
  ...author
}: StoredAuthor): AuthorDocument {
  return author;
}
