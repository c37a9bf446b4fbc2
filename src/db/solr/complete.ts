import type { JsonObject } from "../../catalog/record.ts";
import type { Completion, Document } from "../../search/engine.ts";
import { idsQuery, matchQuery, planQuery, quoted } from "../../search/lucene/lucene-query.ts";
import { exactTitleToken } from "../../search/indexing/filter-token.ts";
import { withToken } from "../../search/plan/match.ts";
import { plainPlan } from "../../search/plan/plain-query.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { allOf } from "../../search/query/query.ts";
import { collationKey } from "../../search/text/collation.ts";
import {
  type TypedOptions,
  allWords,
  isOneLetter,
  mayOutgrowStem,
  possibleStems,
  startingWords,
  wholeWords,
} from "../../search/typed-text.ts";
import {
  type CompletionSource,
  type PlainCompletion,
  COLUMNS,
  LETTER_DOCUMENTS_MAX,
  SAME_NAMES,
  completeBy,
} from "../search/complete.ts";
import {
  type Completed,
  type WorkCompletion,
  KNOWN_WORDS_MAX,
  LETTER_WORKS_MAX,
  TITLE,
  completedOf,
} from "../search/complete-works.ts";
import { PLAIN_SOURCES } from "../search/plain-sources.ts";
import { POPULAR, sortText } from "./order.ts";
import { plainDocument, searchPlain } from "./plain.ts";
import { PLAIN_READ_FIELDS } from "./plain-score.ts";
import { type Found, type SolrReader, bytesIn, find, noOf, numberIn, textIn } from "./reader.ts";
import { spelledWords } from "./selection.ts";

/** `SearchEngine.complete`. */
export function complete(reader: SolrReader, completion: Completion): Promise<Document[]> {
  const source: CompletionSource = {
    works: (one) => completeWorks(reader, one),
    plain: (one) => completePlain(reader, one),
    search: (scheme, search) => searchPlain(reader, scheme, search),
  };
  return completeBy(source, completion);
}

const WORK_FIELDS = ["no", "n_boost", "brief"];

async function completeWorks(reader: SolrReader, completion: WorkCompletion): Promise<Completed[]> {
  const { text, typed, limit } = completion;
  if (typed.beginning.length === 1) return completeLetter(reader, completion);
  const { beginning } = typed;
  const known = mayOutgrowStem(typed)
    ? await spelledWords(reader, { beginning, limit: KNOWN_WORDS_MAX })
    : [];
  const options = { ...TITLE, known };
  const token = exactTitleToken(text);
  const [all, starts] = [allWords(typed, options), startingWords(typed, options)].map((match) =>
    matchQuery(match, "work"),
  );
  const exact = token === undefined ? undefined : matchQuery(withToken(token), "work");
  // The score tells the band: two is the first one, none the last. Pseudo-works are left out.
  const bands = exact === undefined ? `${starts}^=1` : `${exact}^=2 (+${starts} -${exact})^=1`;
  const query = `+${all}^=0 +no:[1 TO *]^=0 ${bands}`;
  const sort = `score desc, ${sortText(POPULAR)}`;
  const { docs } = await find(reader, "work", { query, sort, fields: [...WORK_FIELDS, "score"], limit });
  return docs.map((one) => workOf(one, 2 - (numberIn(one, "score") ?? 0)));
}

function workOf(one: Found, band: number): Completed {
  // What the index was given.
  const members = JSON.parse(bytesIn(one, "brief")) as JsonObject;
  return completedOf(members, { band, popularity: numberIn(one, "n_boost") ?? 0 });
}

/** Of the most popular works (with the other words) those of which the title, as it is sorted, has a word that begins so. */
async function completeLetter(
  reader: SolrReader,
  { text, typed, limit }: WorkCompletion,
): Promise<Completed[]> {
  const others = wholeWords(typed, TITLE);
  const query = `+no:[1 TO *]${others === undefined ? "" : ` +${matchQuery(others, "work")}`}`;
  const ask = { query, sort: sortText(POPULAR), fields: ["no", "s_title_sort"], limit: LETTER_WORKS_MAX };
  const { docs } = await find(reader, "work", ask);
  const beginning = collationKey(text.trim());
  const banded = docs.flatMap((one) => {
    const title = String(one["s_title_sort"] ?? "");
    if (!` ${title}`.includes(` ${typed.beginning}`)) return [];
    return [{ no: noOf(one), band: title.startsWith(beginning) ? 1 : 2 }];
  });
  const best = banded.sort((a, b) => a.band - b.band).slice(0, limit);
  const rows = await find(reader, "work", {
    query: best.length === 0 ? "-*:*" : `no:(${best.map(({ no }) => no).join(" ")})`,
    fields: WORK_FIELDS,
    limit,
  });
  const byNo = new Map(rows.docs.map((one) => [noOf(one), one]));
  return best.flatMap(({ no, band }) => {
    const one = byNo.get(no);
    return one === undefined ? [] : [workOf(one, band)];
  });
}

async function completePlain(reader: SolrReader, completion: PlainCompletion): Promise<Completed[]> {
  const { scheme, typed, limit } = completion;
  const found = isOneLetter(typed)
    ? await beginLike(reader, completion)
    : await haveWords(reader, completion);
  // Subjects go by popularity alone.
  const sorted = found.toSorted(
    (a, b) => (scheme === "subject" ? 0 : a.band - b.band) || b.popularity - a.popularity,
  );
  return sorted.slice(0, Math.max(limit, SAME_NAMES));
}

interface Banded {
  readonly one: Found;
  readonly band: number;
}

/** Each document in its first band; they come in the order of bands. */
function firstBands(found: readonly Banded[]): Banded[] {
  const seen = new Map<unknown, Banded>();
  for (const banded of found) {
    const id = banded.one["id"];
    if (!seen.has(id)) seen.set(id, banded);
  }
  return [...seen.values()];
}

/** The most popular documents that match, in one band. */
async function plainBand(
  reader: SolrReader,
  { scheme, filters }: PlainCompletion,
  { query, band, most }: { readonly query: string; readonly band: number; readonly most: number },
): Promise<Banded[]> {
  const popular = `n_${PLAIN_SOURCES[scheme].popular}`;
  const filter = planQuery(plainPlan(allOf(filters), scheme), scheme);
  const { docs } = await find(reader, scheme, {
    query: `+${filter} +${query}`,
    sort: `${popular} desc, ${scheme === "author" ? "no" : "id"} asc`,
    fields: ["id", popular, ...PLAIN_READ_FIELDS],
    limit: most,
  });
  return docs.map((one) => ({ one, band }));
}

/** One letter begins too many words: the most popular documents are looked through. */
async function beginLike(reader: SolrReader, completion: PlainCompletion): Promise<Completed[]> {
  const { scheme, typed } = completion;
  const looked = await plainBand(reader, completion, { query: "*:*", band: 2, most: LETTER_DOCUMENTS_MAX });
  return looked.flatMap((banded) => {
    const one = plainOf(scheme, banded);
    const name = ` ${nameOf(scheme, one)}`;
    if (!name.includes(` ${typed.beginning}`)) return [];
    return [name.startsWith(` ${typed.beginning}`) ? Object.assign(one, { band: 1 }) : one];
  });
}

/** Names that match loosely are compared with what was typed: so many times more are looked at. */
const COMPARED = 5;

async function haveWords(reader: SolrReader, completion: PlainCompletion): Promise<Completed[]> {
  const { scheme, text, typed, limit } = completion;
  const strict = COLUMNS[scheme];
  const loose: TypedOptions =
    strict.stemmed && mayOutgrowStem(typed) ? { ...strict, stems: possibleStems(typed) } : strict;
  const most = Math.max(limit, SAME_NAMES) * (loose === strict ? 1 : COMPARED);
  const all = matchQuery(allWords(typed, loose), scheme);
  const starts = `(+${all} +${matchQuery(startingWords(typed, loose), scheme)})`;
  const { nameSort } = PLAIN_SOURCES[scheme];
  const whole = `{!field f=s_${nameSort} v=${quoted(collationKey(text.trim()))}}`;
  const bands = [...(nameSort === undefined ? [] : [`(+${starts} +${whole})`]), starts, all];
  const first = 3 - bands.length;
  const found = await Promise.all(
    bands.map((query, at) => plainBand(reader, completion, { query, band: first + at, most })),
  );
  const banded = firstBands(found.flat());
  if (loose === strict) return banded.map((one) => plainOf(scheme, one));
  const query = `+${matchQuery(allWords(typed, strict), scheme)} +${idsQuery(banded.map(({ one }) => textIn(one, "id")))}`;
  const { docs } = await find(reader, scheme, { query, limit: banded.length });
  const strictly = new Set(docs.map((one) => one["id"]));
  return banded.flatMap((one) => {
    const completed = plainOf(scheme, one);
    const isMeant = strictly.has(one.one["id"]) || nameOf(scheme, completed).includes(typed.beginning);
    return isMeant ? [completed] : [];
  });
}

function plainOf(scheme: PlainScheme, { one, band }: Banded): Completed {
  const popularity = numberIn(one, `n_${PLAIN_SOURCES[scheme].popular}`) ?? 0;
  return { document: plainDocument(scheme, one), band, popularity };
}

function nameOf(scheme: PlainScheme, { document }: Completed): string {
  const name = String(document["name"] ?? "");
  return PLAIN_SOURCES[scheme].nameSort === undefined ? name.toLowerCase() : collationKey(name);
}
