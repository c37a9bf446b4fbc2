import { datetimeText } from "../../catalog/datetime.ts";
import {
  type LanguageCount,
  type LanguagePlace,
  FIRST_LANGUAGE,
  countLanguages,
} from "../../db/records/languages.ts";
import { LANGUAGE_COUNTS, LANGUAGE_COUNTS_SECONDS, derived } from "../http/derived-answers.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";

/** KV key of a count over a catalog that is too large for one statement. */
const WALK_KEY = "languages-walk:v1";
/** Time budget of the sweep for counting, in milliseconds. */
const WALK_MS = 5000;

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
  return derived(context, {
    name: LANGUAGE_COUNTS,
    seconds: LANGUAGE_COUNTS_SECONDS,
    // Q45: languages without works are left out.
    make: async () => {
      const { counts, begun } = await latestCounts(context);
      return { counts: counts.filter(({ works }) => works > 0), counted: datetimeText(begun) };
    },
  });
}

async function latestCounts(context: RequestContext): Promise<Pick<Walk, "counts" | "begun">> {
  const { stores, sources, settings } = context;
  const walk = await stores.cache.get<Walk>(WALK_KEY, "json");
  const begun = sources.now();
  if (walk !== null) {
    const { whole, counts, next } = walk;
    const isOld = begun - walk.begun >= 1000 * LANGUAGE_COUNTS_SECONDS;
    if (next === null && isOld)
      await putWalk(stores.cache, { next: FIRST_LANGUAGE, counts: [], whole, begun });
    return { counts: whole ?? counts, begun: walk.begun };
  }
  const derive = settings.DERIVE_HOLDINGS;
  const { counts, next } = await countLanguages(catalogReader(context), FIRST_LANGUAGE, { derive });
  if (next !== null) await putWalk(stores.cache, { next, counts, whole: null, begun });
  return { counts, begun };
}

/** Continues a count of languages that a request has started, as a step of the sweep. */
export async function walkLanguages({ stores, settings, sources }: Jobs): Promise<void> {
  const walk = await stores.cache.get<Walk>(WALK_KEY, "json");
  if (walk === null || walk.next === null) return;
  let { counts } = walk;
  let next: LanguagePlace | null = walk.next;
  const derive = settings.DERIVE_HOLDINGS;
  for (const end = sources.now() + WALK_MS; next !== null && sources.now() < end;) {
    const part = await countLanguages(stores.catalog, next, { derive });
    counts = sumCounts(counts, part.counts);
    ({ next } = part);
  }
  await putWalk(stores.cache, { ...walk, next, counts, whole: next === null ? counts : walk.whole });
}

function putWalk(cache: KVNamespace, walk: Walk): Promise<void> {
  return cache.put(WALK_KEY, JSON.stringify(walk));
}

function sumCounts(before: readonly LanguageCount[], more: readonly LanguageCount[]): LanguageCount[] {
  const sums = new Map(before.map((count) => [count.code, count]));
  for (const { code, works, ebooks, document } of more) {
    const sum = sums.get(code) ?? { works: 0, ebooks: 0 };
    sums.set(code, { code, works: sum.works + works, ebooks: sum.ebooks + ebooks, document });
  }
  return [...sums.values()];
}
