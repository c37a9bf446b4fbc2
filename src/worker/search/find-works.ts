import { stringsOf, textOf } from "../../catalog/record.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import type { SearchEngine, SearchRequest, SearchResult } from "../../search/engine.ts";
import { isPlainName, isSameName, partsOfName } from "../../search/query/person-names.ts";
import { type Query, anyOf, replaceWords } from "../../search/query/query.ts";
import { type OtherReading, readTyped } from "../../search/query/readings.ts";
import { type Typed, beginsWithDash } from "../../search/query/typed-search.ts";
import { WHOLE_TITLE_SCORE } from "../../search/rank.ts";
import type { ParsedSearch, QueryParts } from "./search-request.ts";

export interface CorrectedTexts {
  /** Text that took the place of the typed one; undefined if the results are those of the typed one. */
  readonly corrected?: string;
  /** Names of typed parameters that are in this text. */
  readonly parts?: readonly string[];
  /** Text that is only offered; undefined if there is none. */
  readonly suggested?: string;
  /** Text whose works are among the results, beside those of the typed one (Q832). */
  readonly included?: string;
}

export interface WorkResults extends CorrectedTexts, Pick<ParsedSearch, "editionChoice"> {
  readonly hits: SearchResult;
  /** Search that found the hits. */
  readonly search: SearchRequest;
}

/** Query of a search as typed, or of another reading. */
type Asked = Pick<QueryParts, "query"> & Partial<QueryParts>;

interface Outcome<Result> extends CorrectedTexts {
  readonly result: Result;
  readonly asked: Asked;
}

interface TypedSearch {
  readonly q: string;
  /** Undefined for a text that names a list, which has no other reading. */
  readonly typed: Typed | undefined;
  readonly query: Query;
  readonly freeWords: readonly string[];
  readonly prefix: string;
  /** Parses a reading. Throws 422. */
  readonly parse: (typed: Typed) => QueryParts;
}

/** Maximum number of statements after the first one, for readings and the correction together. */
const FURTHER_STATEMENTS_MAX = 4;
/** Statements that look for a correction. */
const CORRECTION_STATEMENTS = 2;

const NAMED_PARTS = ["title", "author"] as const;
const NO_READINGS = { early: [], late: [], names: [], isJoined: false };

/**
 * Asks for what was typed. If nothing is found, asks for early readings (Q792), for the corrected phrase, which is only
 * suggested if it is not sure, and for late readings. `ask` is one statement, or two for many works.
 */
export async function askInReadings<Result extends { readonly numFound: number }>(
  engine: SearchEngine,
  request: TypedSearch,
  ask: (asked: Asked) => Promise<Result>,
): Promise<Outcome<Result>> {
  const { typed, query } = request;
  const first = { result: await ask({ query }), asked: { query } };
  const isMeant = typed === undefined || !beginsWithDash(typed.q);
  if (first.result.numFound > 0 && isMeant) return first;
  const { early, late, names, isJoined } = typed ? readTyped(typed, request.prefix) : NO_READINGS;
  let left = FURTHER_STATEMENTS_MAX;
  let suggested: string | undefined;

  const find = async (asked: Asked, corrected: string): Promise<Outcome<Result> | undefined> => {
    left -= 1;
    const result = await ask(asked);
    return result.numFound === 0 ? undefined : { result, asked, corrected };
  };
  const findIn = async (reading: OtherReading): Promise<Outcome<Result> | undefined> => {
    const outcome = await find(request.parse(reading), reading.text);
    const parts = NAMED_PARTS.filter((name) => reading.parameters[name] === undefined);
    return outcome && { ...outcome, parts };
  };
  const findCorrected = async (): Promise<Outcome<Result> | undefined> => {
    const { q, freeWords } = request;
    if (!isMeant || freeWords.length === 0 || left < CORRECTION_STATEMENTS) return undefined;
    left -= CORRECTION_STATEMENTS;
    const correction = await engine.findCorrection(freeWords);
    if (correction === undefined) return undefined;
    const text = correctText(q, correction.replacements);
    if (correction.isSure && left > 0) {
      return find({ query: replaceWords(query, correction.replacements) }, text);
    }
    suggested = text;
    return undefined;
  };
  const findReading = async (
    readings: readonly OtherReading[],
    isLookedUp: boolean,
  ): Promise<Outcome<Result> | undefined> => {
    if (isLookedUp) left -= 1;
    const all = isLookedUp && typed ? await addAuthors(engine, names, { typed, readings }) : readings;
    const loosest = all.at(-1);
    if (loosest === undefined || left === 0) return undefined;
    // The last reading finds all works that the others find: if it finds nothing, they need not be tried.
    const last = await findIn(loosest);
    for (const reading of last === undefined ? [] : all.slice(0, -1).slice(0, left)) {
      const stricter = await findIn(reading);
      if (stricter !== undefined) return stricter;
    }
    return last;
  };
  const isOdd = names.some((name) => !isPlainName(name)) || names.length > 1;
  return (
    (early.length > 0 || isJoined ? await findReading(early, isOdd) : undefined) ??
    (await findCorrected()) ??
    (await findReading(late, names.length > 0 && left > 1)) ?? {
      ...first,
      ...(suggested !== undefined && { suggested }),
    }
  );
}

const NAMESAKES_MAX = 100;
/** Maximum number of authors that a name of a search may mean. */
const AUTHORS_MAX = 20;

/**
 * Returns the readings, or what was typed, by the authors whom some names may mean, in any form (Q793): by one of them, or
 * without a title by all. Returns the readings unchanged if the name is that of the only author. One statement.
 */
async function addAuthors(
  engine: SearchEngine,
  names: readonly string[],
  { typed, readings }: { typed: Typed; readings: readonly OtherReading[] },
): Promise<readonly OtherReading[]> {
  const words = names.flatMap((name) => partsOfName(name).at(-1) ?? []);
  const query = anyOf(
    words.map((text) => ({ op: "match", field: null, value: { kind: "word", text }, boost: 1 })),
  );
  const sort = [{ field: "work_count", descending: true }];
  const { documents } = await engine.authors({ query, filters: [], sort, start: 0, rows: NAMESAKES_MAX });
  const authors = documents.map((document) => ({
    olid: lastSegmentOf(textOf(document["key"]) ?? ""),
    name: textOf(document["name"]) ?? "",
    names: [...stringsOf(document["name"]), ...stringsOf(document["alternate_names"])],
  }));
  const meant = names.map((name) =>
    authors.filter((author) => author.names.some((other) => isSameName(name, other))).slice(0, AUTHORS_MAX),
  );
  const clauses = meant.flatMap((some) =>
    some.length === 0 ? [] : [`author_key:(${some.map(({ olid }) => olid).join(" OR ")})`],
  );
  if (clauses.length === 0) return readings;
  const { author: _author, ...parameters } = typed.parameters;
  const isTitled = typed.q !== "" || parameters.title !== undefined;
  const told = meant.map((some, at) => (some.length === 1 ? some[0]?.name : names[at])).join(" ");
  return (readings.length > 0 ? readings : [{ ...typed, text: typed.q }]).map((reading) => {
    const { author: _typed, ...others } = reading.parameters;
    return {
      text: `${reading.text} ${told}`.trim(),
      q: `${reading.q} (${clauses.join(isTitled ? " OR " : " AND ")})`.trim(),
      parameters: others,
    };
  });
}

/** Maximum number of works of a search that may be misspelt nevertheless. */
const FEW_WORKS_MAX = 3;

/**
 * Searches works in readings (`askInReadings`). Suggests a correction too if few works are found and none has the words as
 * its title. `isInclusive`: the results have the works of a sure one, too.
 */
export async function findWorks(
  engine: SearchEngine,
  request: ParsedSearch,
  { isInclusive = false } = {},
): Promise<WorkResults> {
  const { q, search, freeWords, editionChoice } = request;
  const searchFor = ({ query, editionClauses }: Asked): SearchRequest => ({
    ...search,
    query,
    editionClauses: search.withEditions && editionClauses ? editionClauses : search.editionClauses,
  });
  const { result, asked, ...texts } = await askInReadings(
    engine,
    { ...request, query: search.query },
    (part) => engine.works(searchFor(part)),
  );
  const choice =
    editionChoice && asked.editionClauses
      ? { ...editionChoice, clauses: asked.editionClauses, words: asked.freeWords ?? [] }
      : editionChoice;
  const results = { ...texts, hits: result, search: searchFor(asked), editionChoice: choice };
  const {
    numFound,
    scores: [best = WHOLE_TITLE_SCORE],
  } = result;
  // Further pages of so few works are those of a correction.
  const isBad = search.start === 0 ? best < WHOLE_TITLE_SCORE : isInclusive;
  const isDoubtful = isBad && search.sort.length === 0 && numFound > 0 && numFound <= FEW_WORKS_MAX;
  if (texts.corrected !== undefined || freeWords.length === 0 || !isDoubtful) return results;
  const correction = await engine.findCorrection(freeWords);
  if (correction === undefined) return results;
  const text = correctText(q, correction.replacements);
  if (!isInclusive || !correction.isSure) return { ...results, suggested: text };
  const both = searchFor({
    query: anyOf([search.query, replaceWords(search.query, correction.replacements)]),
  });
  return { ...results, hits: await engine.works(both), search: both, included: text };
}

const WORD = /[^\s"():]+/g;
const SEPARATOR = /[\s"():]/;
const BLANKS = / {2,}/g;

/** Replaces words and phrases of a text; lists the new ones if the text is empty (words from other parameters). */
function correctText(q: string, replacements: ReadonlyMap<string, string>): string {
  if (q === "") return [...replacements.values()].filter((text) => text !== "").join(" ");
  const phrases = [...replacements].filter(([typed]) => SEPARATOR.test(typed));
  const text = phrases.reduce((part, [typed, corrected]) => part.replaceAll(typed, corrected), q);
  return text
    .replace(WORD, (word) => replacements.get(word) ?? word)
    .replace(BLANKS, " ")
    .trim();
}
