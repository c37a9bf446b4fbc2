import {
  type TypedOptions,
  type TypedText,
  allWords,
  isOneLetter,
  mayOutgrowStem,
  possibleStems,
  startingWords,
  typedText,
} from "../../search/typed-text.ts";
import type { Completion, Document, Hits, PlainSearch } from "../../search/engine.ts";
import { type PlainPlan, plainPlan } from "../../search/plan/plain-query.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { type Match, allMatch, matchText } from "../../search/plan/match.ts";
import { ALL, allOf } from "../../search/query/query.ts";
import { collationKey } from "../../search/text/collation.ts";
import { type Statement, rows } from "../statement.ts";
import { type Completed, type WorkCompletion, completeWorks } from "./complete-works.ts";
import type { IndexReader } from "./generation.ts";
import {
  type SchemeTables,
  PLAIN_SCHEMES,
  PLAIN_SOURCES,
  BoundValues,
  conditionSql,
  tablesOf,
} from "./plain-sources.ts";
import { searchPlain } from "./plain.ts";

/** Completion request with the parsed form of the text. */
type AnyCompletion = Omit<Completion, "scheme"> & { readonly typed: TypedText };
/** Completion request for authors, subjects or lists. */
export type PlainCompletion = AnyCompletion & { readonly scheme: PlainScheme };

/** Maximum number of documents scanned for names that start with one letter. */
export const LETTER_DOCUMENTS_MAX = 20_000;
/** Number of whole names compared with the typed text letter by letter. */
export const SAME_NAMES = 20;

/** Columns searched for the typed text. */
export const COLUMNS: Readonly<Record<PlainScheme, Pick<TypedOptions, "columns" | "stemmed">>> = {
  author: { columns: ["name", "alternate_names"], stemmed: false },
  subject: { columns: ["name"], stemmed: true },
  list: { columns: ["name"], stemmed: true },
};

/**
 * Finds documents whose name has all the words, the last one as a beginning: the whole name first, then its beginning,
 * then words anywhere, each by popularity. Subjects are ordered by popularity alone. One round trip.
 */
async function completePlain(index: IndexReader, completion: PlainCompletion): Promise<Completed[]> {
  const source = PLAIN_SOURCES[completion.scheme];
  type Row = Pick<Completed, "band" | "popularity"> & Readonly<Record<string, unknown>>;
  const found = await rows<Row>(index.database, plainStatement(index, completion));
  return found.map((row) => ({
    document: source.documentOf(row),
    band: row.band,
    popularity: row.popularity,
  }));
}

function plainStatement(index: IndexReader, completion: PlainCompletion): Statement {
  const { scheme, limit } = completion;
  const source = PLAIN_SOURCES[scheme];
  const tables = tablesOf(scheme, index.generation);
  const { table } = tables;
  const bound = new BoundValues();
  const hits = isOneLetter(completion.typed)
    ? letterSql(completion, tables, bound)
    : wordsSql(completion, tables, bound);
  const columns = source.columns.map((column) => `${table}.${column}`).join(", ");
  const order = `${scheme === "subject" ? "" : "band, "}popularity DESC, id`;
  const sql = `
    WITH best AS MATERIALIZED (
      SELECT ${table}.id AS id, hit.band AS band, ${table}.${source.popular} AS popularity
      FROM (${hits}) hit CROSS JOIN ${table} ON ${table}.id = hit.id
      ORDER BY ${order} LIMIT ${Math.max(limit, SAME_NAMES)})
    SELECT best.band, best.popularity, ${columns} FROM best JOIN ${table} USING (id) ORDER BY ${order}`;
  return { sql, values: bound.values };
}

function wordsSql(completion: PlainCompletion, tables: SchemeTables, bound: BoundValues): string {
  const { scheme, text, typed } = completion;
  const { table, text: words } = tables;
  const filter = filterPlan(completion);
  const found = (match: Match): string =>
    `SELECT rowid FROM ${words} WHERE ${words} MATCH ${bound.add(matchText(match))}`;
  const within = (match: Match): Match => (filter.kind === "match" ? allMatch([match, filter.match]) : match);
  const strict = COLUMNS[scheme];
  const loose = strict.stemmed && mayOutgrowStem(typed) ? { ...strict, stems: possibleStems(typed) } : strict;
  const { nameSort } = PLAIN_SOURCES[scheme];
  const isWhole =
    nameSort === undefined ? "0" : `${table}.${nameSort} = ${bound.add(collationKey(text.trim()))}`;
  const conditions = [`id IN (${found(within(allWords(typed, loose)))})`];
  if (filter.kind !== "match") conditions.push(conditionSql(filter, tables, bound));
  if (loose !== strict) {
    const isMeant = `instr(${nameSql(scheme)}, ${bound.add(typed.beginning)}) > 0`;
    conditions.push(`(id IN (${found(within(allWords(typed, strict)))}) OR ${isMeant})`);
  }
  return `SELECT id, CASE WHEN id IN (${found(startingWords(typed, loose))}) THEN iif(${isWhole}, 0, 1) ELSE 2 END AS band
          FROM ${table} WHERE ${conditions.join(" AND ")}`;
}

/** Returns SQL of the name in lower case. */
function nameSql(scheme: PlainScheme): string {
  return PLAIN_SOURCES[scheme].nameSort ?? "lower(name)";
}

function filterPlan({ filters, scheme }: PlainCompletion): PlainPlan {
  return plainPlan(allOf(filters), scheme);
}

/**
 * Returns SQL for a single letter. It starts too many words for the full-text index, so the most popular documents are
 * scanned.
 */
function letterSql(completion: PlainCompletion, tables: SchemeTables, bound: BoundValues): string {
  const { scheme, typed } = completion;
  const { table } = tables;
  const { popular } = PLAIN_SOURCES[scheme];
  const plan = filterPlan(completion);
  const letter = bound.add(typed.beginning);
  return `SELECT id, iif(substr(name, 1, 1) = ${letter}, 1, 2) AS band
          FROM (SELECT id, ${nameSql(scheme)} AS name FROM ${table} WHERE ${conditionSql(plan, tables, bound)}
                ORDER BY ${popular} DESC, id LIMIT ${LETTER_DOCUMENTS_MAX})
          WHERE instr(' ' || name, ' ' || ${letter}) > 0`;
}

/** Moves the name written exactly as typed, ignoring case, before names that fold to the same form. */
function exactFirst(completed: readonly Completed[], text: string): Completed[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ document, band }: Completed): number =>
    band === 0 && String(document["name"] ?? "").toLowerCase() === wanted ? 0 : 1;
  return completed.toSorted((a, b) => rank(a) - rank(b));
}

/** Score factors by band, which make the kinds comparable. */
const BAND_FACTORS = [4, 2, 1];

/** Index operations used by completions. */
export interface CompletionSource {
  works(completion: WorkCompletion): Promise<Completed[]>;
  plain(completion: PlainCompletion): Promise<Completed[]>;
  search(scheme: PlainScheme, search: PlainSearch): Promise<Hits>;
}

/** Implements `SearchEngine.complete` for the embedded index. */
export function complete(index: IndexReader, completion: Completion): Promise<Document[]> {
  const source: CompletionSource = {
    works: (one) => completeWorks(index, one),
    plain: (one) => completePlain(index, one),
    search: (scheme, search) => searchPlain(index, scheme, search),
  };
  return completeBy(source, completion);
}

/**
 * Finds documents by the beginning of their name or title, best first. Without a word it returns the subjects with most
 * works, and nothing for the other kinds. Documents of the scheme `any` have a `score`.
 */
export async function completeBy(source: CompletionSource, completion: Completion): Promise<Document[]> {
  const { scheme, text, limit, filters } = completion;
  if (limit === 0) return [];
  const typed = typedText(text);
  if (typed === undefined) return scheme === "subject" ? topSubjects(source, completion) : [];
  if (scheme === "any") return completeAny(source, { ...completion, typed });
  const found =
    scheme === "work"
      ? await source.works({ text, typed, limit })
      : await completeNames(source, { scheme, text, typed, limit, filters });
  return found.map(({ document }) => document);
}

async function completeNames(source: CompletionSource, completion: PlainCompletion): Promise<Completed[]> {
  return exactFirst(await source.plain(completion), completion.text).slice(0, completion.limit);
}

async function topSubjects(source: CompletionSource, { limit, filters }: Completion): Promise<Document[]> {
  const sort = [{ field: "work_count", descending: true }];
  const search = { query: ALL, filters, sort, start: 0, rows: limit };
  return [...(await source.search("subject", search)).documents];
}

/** Finds the best documents of all kinds, by quality of the match and popularity. */
async function completeAny(source: CompletionSource, completion: AnyCompletion): Promise<Document[]> {
  const kinds = await Promise.all([
    source.works(completion),
    ...PLAIN_SCHEMES.map((scheme) => completeNames(source, { ...completion, scheme })),
  ]);
  return kinds
    .flat()
    .map((one) => ({ document: one.document, score: scoreOf(one) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, completion.limit)
    .map(({ document, score }) => Object.assign({ score }, document));
}

function scoreOf({ band, popularity }: Completed): number {
  return (BAND_FACTORS[band] ?? 1) * Math.log(2 + Math.max(0, popularity));
}
