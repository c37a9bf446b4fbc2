import { typedText } from "../../../search/complete/typed-text.ts";
import type { Completion, Document } from "../../../search/engine.ts";
import { searchPlain } from "../plain/search.ts";
import type { IndexReader } from "../index-reader.ts";
import { completePlain } from "./plain.ts";
import { type Completed, completeWorks } from "./works.ts";
import { ALL } from "../../../search/query/query.ts";

const PLAIN_SCHEMES = ["author", "subject", "list"] as const;
/** What the score of a document of each kind begins with, so that kinds can be compared. */
const BAND_FACTORS = [4, 2, 1];

/**
 * Documents by the beginning of their name or title (search.md 7.5), best first. Without a word: the subjects with
 * most works, and nothing of the other kinds. Documents of the scheme `any` have a `score`.
 */
export async function complete(index: IndexReader, completion: Completion): Promise<Document[]> {
  const { scheme, text, limit, filters } = completion;
  if (limit === 0) return [];
  const typed = typedText(text);
  if (typed === undefined) return scheme === "subject" ? topSubjects(index, completion) : [];
  if (scheme === "any") return completeAny(index, { ...completion, typed });
  const found =
    scheme === "work"
      ? await completeWorks(index, { text, typed, limit })
      : await completePlain(index, { scheme, text, typed, limit, filters });
  return found.map(({ document }) => document);
}

async function topSubjects(index: IndexReader, { limit, filters }: Completion): Promise<Document[]> {
  const sort = [{ field: "work_count", descending: true }];
  const { documents } = await searchPlain(index, "subject", {
    query: ALL,
    filters,
    sort,
    start: 0,
    rows: limit,
  });
  return [...documents];
}

type AnyCompletion = Pick<Completion, "text" | "limit" | "filters"> & {
  readonly typed: NonNullable<ReturnType<typeof typedText>>;
};

/** The best of every kind, by how well the name fits and how popular they are among all. */
async function completeAny(index: IndexReader, completion: AnyCompletion): Promise<Document[]> {
  const kinds = await Promise.all([
    completeWorks(index, completion),
    ...PLAIN_SCHEMES.map((scheme) => completePlain(index, { ...completion, scheme })),
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
