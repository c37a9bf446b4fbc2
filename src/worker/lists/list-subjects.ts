import type { SeedWorks } from "../../db/lists/read-seed-works.ts";
import { SUBJECT_COUNT_FIELDS, type SubjectCount } from "../../db/search/subject-counts.ts";
import { countSubjectsOfWorks } from "../../db/search/works-subjects.ts";
import { filterToken } from "../../search/index/filter-token.ts";
import { editionIdOfKey, olidOfKey, workIdOfKey } from "../../search/index/ids.ts";
import type { RequestContext } from "../context.ts";
import { indexReaderOf } from "../search/engine-of.ts";
import { guarded } from "../search/guarded.ts";
import { subjectToken } from "./subject-token.ts";

/** Values of each kind that are counted, whatever limit is asked for (patrons.md 14.9). */
export const LIST_SUBJECT_VALUES = 20;
/** Authors and subjects among the seeds whose works are looked at. */
export const SUBJECT_TOKENS_MAX = 1000;

/** What the works of a list are about, by kind: most frequent first, then by name. */
export async function subjectsOfList(
  { books, others }: Pick<SeedWorks, "books" | "others">,
  context: RequestContext,
): Promise<ReadonlyMap<(typeof SUBJECT_COUNT_FIELDS)[number], readonly SubjectCount[]>> {
  const { RECORD_PREFIX: prefix } = context.settings;
  const ids = books.flatMap((key) => indexIdOf(key, prefix) ?? []);
  const tokens = others.slice(0, SUBJECT_TOKENS_MAX).flatMap((seed) => tokenOf(seed) ?? []);
  const counts = await guarded(
    async () => countSubjectsOfWorks(await indexReaderOf(context), { ids, tokens }, LIST_SUBJECT_VALUES),
    "",
  );
  return new Map(
    SUBJECT_COUNT_FIELDS.map((name, field) => [name, counts.filter((count) => count.field === field)]),
  );
}

/** Number in the index; an edition without a work stands there for one. */
function indexIdOf(key: string, prefix: string): number | undefined {
  const edition = editionIdOfKey(key, prefix);
  return edition === undefined ? workIdOfKey(key, prefix) : -edition;
}

function tokenOf(seed: string): string | undefined {
  return seed.startsWith("/authors/") ? filterToken("ak", olidOfKey(seed)) : subjectToken(seed);
}
