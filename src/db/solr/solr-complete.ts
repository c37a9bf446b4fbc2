import type { JsonObject } from "../../catalog/record.ts";
import { exactTitleTokenOf } from "../../search/indexing/filter-token.ts";
import { idsQuery, matchQuery, quoteText, toLuceneQuery } from "../../search/lucene/lucene-query.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { matchToken } from "../../search/plan/match.ts";
import { collationKeyOf } from "../../search/text/collation.ts";
import {
  matchAllWords,
  isOneLetter,
  mayOutgrowStem,
  matchStartingWords,
  matchWholeWords,
} from "../../search/typed-text.ts";
import {
  type Completed,
  type CompletionSource,
  type PlainCompletion,
  type WorkCompletion,
  KNOWN_WORDS_MAX,
  LETTER_DOCUMENTS_MAX,
  LETTER_WORKS_MAX,
  SAME_NAMES,
  TITLE,
  toCompletedDocument,
  filterPlan,
  nameOptions,
} from "../../search/engine/complete-text.ts";
import { PLAIN_SOURCES } from "../../search/engine/plain-search.ts";
import { POPULAR, sortText } from "./order.ts";
import { type SolrFields, type SolrReader, bytesIn, find, noOf, numberIn, textIn } from "./reader.ts";
import { PLAIN_READ_FIELDS, TIES, plainDocument, searchSolrPlain } from "./solr-plain.ts";
import { readSpelledWords } from "./solr-terms.ts";

const WORK_FIELDS = ["no", "n_boost", "brief"];
/** Factor by which more names are read than wanted if some of them may have the words only loosely. */
const LOOSE_FACTOR = 5;

/** Returns the operations of Solr for completions. Methods throw `SolrError`. */
export function createSolrCompletionSource(reader: SolrReader): CompletionSource {
  return {
    works: (completion) => completeWorks(reader, completion),
    plain: (completion) => completePlain(reader, completion),
    search: (scheme, search) => searchSolrPlain(reader, scheme, search),
  };
}

async function completeWorks(reader: SolrReader, completion: WorkCompletion): Promise<Completed[]> {
  const { text, typed, limit } = completion;
  const { beginning } = typed;
  if (beginning.length === 1) return completeLetter(reader, completion);
  const known = mayOutgrowStem(typed)
    ? await readSpelledWords(reader, { beginning, limit: KNOWN_WORDS_MAX })
    : [];
  const options = { ...TITLE, known };
  const all = matchQuery(matchAllWords(typed, options), "work");
  const starts = matchQuery(matchStartingWords(typed, options), "work");
  const token = exactTitleTokenOf(text);
  const exact = token === undefined ? undefined : matchQuery(matchToken(token), "work");
  // The score is 2 minus the band. Pseudo-works are left out.
  const bands = exact === undefined ? `${starts}^=1` : `${exact}^=2 (+${starts} -${exact})^=1`;
  const query = `+${all}^=0 +no:[1 TO *]^=0 ${bands}`;
  const sort = `score desc, ${sortText(POPULAR)}`;
  const { docs } = await find(reader, "work", { query, sort, fields: [...WORK_FIELDS, "score"], limit });
  return docs.map((doc) => workOf(doc, 2 - (numberIn(doc, "score") ?? 0)));
}

function workOf(doc: SolrFields, band: number): Completed {
  // The field holds members of a work.
  const members = JSON.parse(bytesIn(doc, "brief")) as JsonObject;
  return { document: toCompletedDocument(members), band, popularity: numberIn(doc, "n_boost") ?? 0 };
}

async function completeLetter(
  reader: SolrReader,
  { text, typed, limit }: WorkCompletion,
): Promise<Completed[]> {
  const others = matchWholeWords(typed, TITLE);
  const { docs } = await find(reader, "work", {
    query: `+no:[1 TO *]${others === undefined ? "" : ` +${matchQuery(others, "work")}`}`,
    sort: sortText(POPULAR),
    fields: ["no", "s_title_sort"],
    limit: LETTER_WORKS_MAX,
  });
  const beginning = collationKeyOf(text.trim());
  const banded = docs.flatMap((doc) => {
    const title = String(doc["s_title_sort"] ?? "");
    if (!` ${title}`.includes(` ${typed.beginning}`)) return [];
    return [{ no: noOf(doc), band: title.startsWith(beginning) ? 1 : 2 }];
  });
  const best = banded.sort((a, b) => a.band - b.band).slice(0, limit);
  const page = await find(reader, "work", {
    query: best.length === 0 ? "-*:*" : `no:(${best.map(({ no }) => no).join(" ")})`,
    fields: WORK_FIELDS,
    limit,
  });
  const byNo = new Map(page.docs.map((doc) => [noOf(doc), doc]));
  return best.flatMap(({ no, band }) => {
    const doc = byNo.get(no);
    return doc === undefined ? [] : [workOf(doc, band)];
  });
}

async function completePlain(reader: SolrReader, completion: PlainCompletion): Promise<Completed[]> {
  const { scheme, typed, limit } = completion;
  const completed = isOneLetter(typed)
    ? await readNamesWithLetter(reader, completion)
    : await readNamesWithWords(reader, completion);
  return completed
    .sort((a, b) => (scheme === "subject" ? 0 : a.band - b.band) || b.popularity - a.popularity)
    .slice(0, Math.max(limit, SAME_NAMES));
}

async function readPopularNames(
  reader: SolrReader,
  completion: PlainCompletion,
  { query, limit }: { query: string; limit: number },
): Promise<readonly SolrFields[]> {
  const { scheme } = completion;
  const popular = `n_${PLAIN_SOURCES[scheme].popular}`;
  const { docs } = await find(reader, scheme, {
    query: `+${toLuceneQuery(filterPlan(completion), scheme)} +${query}`,
    sort: `${popular} desc, ${TIES[scheme]} asc`,
    fields: ["id", popular, ...PLAIN_READ_FIELDS],
    limit,
  });
  return docs;
}

async function readNamesWithLetter(reader: SolrReader, completion: PlainCompletion): Promise<Completed[]> {
  const { scheme, typed } = completion;
  const docs = await readPopularNames(reader, completion, { query: "*:*", limit: LETTER_DOCUMENTS_MAX });
  return docs.flatMap((doc) => {
    const document = plainDocument(scheme, doc);
    const name = ` ${nameOf(scheme, document)}`;
    const letter = ` ${typed.beginning}`;
    if (!name.includes(letter)) return [];
    return [{ document, band: name.startsWith(letter) ? 1 : 2, popularity: popularityOf(scheme, doc) }];
  });
}

async function readNamesWithWords(reader: SolrReader, completion: PlainCompletion): Promise<Completed[]> {
  const { scheme, text, typed, limit } = completion;
  const { strict, loose } = nameOptions(completion);
  const needed = Math.max(limit, SAME_NAMES) * (loose === strict ? 1 : LOOSE_FACTOR);
  const all = matchQuery(matchAllWords(typed, loose), scheme);
  const starts = `(+${all} +${matchQuery(matchStartingWords(typed, loose), scheme)})`;
  const { nameSort } = PLAIN_SOURCES[scheme];
  const whole = `(+${starts} +{!field f=s_${nameSort} v=${quoteText(collationKeyOf(text.trim()))}})`;
  const queries = [...(nameSort === undefined ? [] : [whole]), starts, all];
  const firstBand = 3 - queries.length;
  const bands = await Promise.all(
    queries.map((query) => readPopularNames(reader, completion, { query, limit: needed })),
  );
  // Each document is in its first band.
  const completed = new Map<string, Completed>();
  for (const [at, docs] of bands.entries()) {
    for (const doc of docs) {
      const id = textIn(doc, "id");
      if (completed.has(id)) continue;
      const document = plainDocument(scheme, doc);
      completed.set(id, { document, band: firstBand + at, popularity: popularityOf(scheme, doc) });
    }
  }
  if (loose === strict) return [...completed.values()];
  const { docs } = await find(reader, scheme, {
    query: `+${matchQuery(matchAllWords(typed, strict), scheme)} +${idsQuery([...completed.keys()])}`,
    limit: completed.size,
  });
  const strictIds = new Set(docs.map((doc) => doc["id"]));
  return [...completed]
    .filter(([id, { document }]) => strictIds.has(id) || nameOf(scheme, document).includes(typed.beginning))
    .map(([, document]) => document);
}

function popularityOf(scheme: PlainScheme, doc: SolrFields): number {
  return numberIn(doc, `n_${PLAIN_SOURCES[scheme].popular}`) ?? 0;
}

function nameOf(scheme: PlainScheme, document: Completed["document"]): string {
  const name = String(document["name"] ?? "");
  return PLAIN_SOURCES[scheme].nameSort === undefined ? name.toLowerCase() : collationKeyOf(name);
}
