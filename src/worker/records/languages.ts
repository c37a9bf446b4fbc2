import { DAY_SECONDS, HOUR_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { languageNamesOf } from "../../catalog/language-names.ts";
import { VARY_LANGUAGE } from "../http/accept.ts";
import { type RequestContext, operation, catalogReader } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { twoViews } from "../http/views.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import {
  type LanguageCount,
  type LanguagePlace,
  FIRST_LANGUAGE,
  countLanguages,
} from "../../db/records/languages.ts";
import { writeCache } from "../http/kv-cache.ts";
import { LANGUAGE_COUNTS, LANGUAGE_COUNTS_SECONDS, readDerived } from "../http/derived-answers.ts";
import type { BudgetedJobs } from "../http/queue.ts";
import { failure } from "../http/failure.ts";
import { namingLanguageOf } from "../search/known-languages.ts";
import { type LanguageSort, LANGUAGE_SORTS, showLanguages } from "./languages-page.ts";

const LANGUAGES_LIMIT = 15;
const LANGUAGES_PAGE_MAX = 500;
const LANGUAGES_CACHE_CONTROL = "public, max-age=60";

const languageSchema = z
  .object({
    name: z.string(),
    key: z.string(),
    marc_code: z.string(),
    count: z.int().describe("Number of works with an edition in the language"),
    ebook_edition_count: z.int().describe("Number of editions in the language that can be read or borrowed"),
  })
  .meta({ id: "Language" });
type Language = z.infer<typeof languageSchema>;

export const languagesOperation = operation({
  id: "languages",
  summary: "List the languages with their numbers of works and e-books",
  tag: "lookup",
  query: {
    sort: z.enum(LANGUAGE_SORTS).default("count"),
    limit: integer(z.int().gt(0)).default(LANGUAGES_LIMIT),
  },
  responses: { 200: { description: "Languages of at least one work", schema: z.array(languageSchema) } },
  async handle({ query: { sort, limit } }, context) {
    const { languages } = await readLanguages(sort, "name", context);
    return json(languages.slice(0, limit), {
      cacheControl: LANGUAGES_CACHE_CONTROL,
      headers: { Vary: VARY_LANGUAGE },
    });
  },
});

async function readLanguages(
  sort: LanguageSort,
  member: "name" | "shown",
  context: RequestContext,
): Promise<{ languages: Language[]; counted: string }> {
  const { counts, counted } = await languageCounts(context);
  const interfaceLanguage = await namingLanguageOf(member, context);
  // Programs get names by their code units, people as in a dictionary of their language.
  const byName = member === "shown" ? new Intl.Collator(interfaceLanguage).compare : compareFolded;
  const languages = counts.map(({ code, works, ebooks, document }) => {
    const record = document === null ? undefined : parseDocument(document);
    const name = languageNamesOf(code, record, interfaceLanguage)[member];
    return { name, key: `/languages/${code}`, marc_code: code, count: works, ebook_edition_count: ebooks };
  });
  const orders = { ...ORDERS, name: (a: Language, b: Language) => byName(a.name, b.name) || byCount(a, b) };
  return { languages: languages.sort(orders[sort]), counted };
}

const byCount = (a: Language, b: Language): number => b.count - a.count || compare(a.marc_code, b.marc_code);
const ORDERS = {
  count: byCount,
  ebook_edition_count: (a: Language, b: Language) =>
    b.ebook_edition_count - a.ebook_edition_count || byCount(a, b),
};

function compareFolded(a: string, b: string): number {
  return compare(a.toLowerCase(), b.toLowerCase());
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

export const languagesPage = twoViews({
  id: "languagesPage",
  summary: "Show the page of languages",
  tag: "lookup",
  query: {
    sort: z
      .string()
      .default("count")
      .meta({ enum: [...LANGUAGE_SORTS] }),
  },
  responses: {
    200: { description: "HTML page or JSON", schema: z.array(languageSchema), also: ["text/html"] },
    400: { description: "Unknown `sort`" },
  },
  async asJson({ query }, context) {
    const { languages } = await readLanguages(parseSort(query.sort), "name", context);
    return json(languages.slice(0, LANGUAGES_PAGE_MAX), {
      cacheControl: LANGUAGES_CACHE_CONTROL,
      headers: { Vary: `Accept, ${VARY_LANGUAGE}` },
    });
  },
  async asPage({ query }, context) {
    const sort = parseSort(query.sort);
    const { languages, counted } = await readLanguages(sort, "shown", context);
    const shown = { languages: languages.slice(0, LANGUAGES_PAGE_MAX), counted, sort };
    return showLanguages(shown, LANGUAGES_CACHE_CONTROL);
  },
});

/** Returns an order by its name. Throws 400: a page has no 422 (Q432). */
function parseSort(name: string): LanguageSort {
  const sort = LANGUAGE_SORTS.find((known) => known === name);
  if (sort === undefined) throw failure("bad_data.sort", { names: LANGUAGE_SORTS.join(", ") });
  return sort;
}

/** KV key of a count over a catalog that is too large for one statement, and its TTL in seconds. */
const WALK_KEY = "languages-walk:v1";
const WALK_TTL = 30 * DAY_SECONDS;
/** Age of a count after which the next one starts, in milliseconds. */
const WALK_AGE_MS = HOUR_MS;

/**
 * Count that the sweep continues. It ends with the right result even if KV returns an older state.
 */
interface Walk {
  /** Next place to count; null after the end. */
  next: LanguagePlace | null;
  counts: readonly LanguageCount[];
  /** Latest counts of the whole catalog; null before the end of the first count. */
  whole: readonly LanguageCount[] | null;
  begun: number;
}

/**
 * Returns works and readable editions by language, and the time of counting. Up to 100,000 rows are counted on request.
 * For larger catalogs, returns the latest counts of the sweep, or its partial counts, and starts another count when they
 * are an hour old.
 */
export function languageCounts(
  context: RequestContext,
): Promise<{ readonly counts: readonly LanguageCount[]; readonly counted: string }> {
  return readDerived(context, {
    name: LANGUAGE_COUNTS,
    seconds: LANGUAGE_COUNTS_SECONDS,
    // Q45: languages without works are left out.
    make: async () => {
      const { counts, begun } = await latestCounts(context);
      return { counts: counts.filter(({ works }) => works > 0), counted: formatDatetime(begun) };
    },
  });
}

async function latestCounts(context: RequestContext): Promise<Pick<Walk, "counts" | "begun">> {
  const { stores, sources, settings } = context;
  const walk = await stores.cache.get<Walk>(WALK_KEY, "json");
  const begun = sources.now();
  if (walk !== null) {
    const { whole, counts, next } = walk;
    const isOld = begun - walk.begun >= WALK_AGE_MS;
    if (next === null && isOld) await putWalk(context, { next: FIRST_LANGUAGE, counts: [], whole, begun });
    return { counts: whole ?? counts, begun: walk.begun };
  }
  const derive = settings.DERIVE_HOLDINGS;
  const { counts, next } = await countLanguages(catalogReader(context), FIRST_LANGUAGE, { derive });
  if (next !== null) await putWalk(context, { next, counts, whole: null, begun });
  return { counts, begun };
}

/** Continues a count of languages that a request has started, as a step of the sweep. */
export async function walkLanguages(jobs: BudgetedJobs): Promise<void> {
  const { stores, settings, budget } = jobs;
  const walk = await stores.cache.get<Walk>(WALK_KEY, "json");
  if (walk === null || walk.next === null) return;
  let { counts } = walk;
  let next: LanguagePlace | null = walk.next;
  const derive = settings.DERIVE_HOLDINGS;
  while (next !== null) {
    const part = await countLanguages(stores.catalog, next, { derive });
    counts = sumCounts(counts, part.counts);
    ({ next } = part);
    if (budget.isOver()) break;
  }
  await putWalk(jobs, { ...walk, next, counts, whole: next === null ? counts : walk.whole });
}

function putWalk({ stores, sources }: Pick<BudgetedJobs, "stores" | "sources">, walk: Walk): Promise<void> {
  const entry = { text: JSON.stringify(walk), seconds: WALK_TTL };
  return writeCache(stores.cache, WALK_KEY, { entry, sources });
}

function sumCounts(before: readonly LanguageCount[], more: readonly LanguageCount[]): LanguageCount[] {
  const sums = new Map(before.map((count) => [count.code, count]));
  for (const { code, works, ebooks, document } of more) {
    const sum = sums.get(code) ?? { works: 0, ebooks: 0 };
    sums.set(code, { code, works: sum.works + works, ebooks: sum.ebooks + ebooks, document });
  }
  return [...sums.values()];
}
