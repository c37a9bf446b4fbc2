import { keyOfWorkId } from "../../search/index/ids.ts";
import { rankedWorks } from "../activity/ranking.ts";
import type { RequestContext } from "../context.ts";
import type { HomeBook } from "../pages/home.ts";
import { engineOf } from "../search/engine-of.ts";
import { guarded } from "../search/guarded.ts";

/** Books on the first page. */
export const HOME_BOOKS = 12;
const FIELDS = ["title", "author_name", "first_publish_year", "cover_i"];

/** Books that most readers put onto their shelves this week, the most logged ones first. Two round trips. */
export async function homeBooks(context: RequestContext): Promise<HomeBook[]> {
  const wish = {
    period: "weekly",
    hours: 0,
    minimum: 0,
    byCount: true,
    offset: 0,
    limit: HOME_BOOKS,
  } as const;
  const [ranked, engine] = await Promise.all([
    rankedWorks(wish, context),
    guarded(() => engineOf(context), "home"),
  ]);
  if (ranked.length === 0) return [];
  const keys = ranked.map(({ work }) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  const documents = await guarded(() => engine.getMany(keys, FIELDS), "home");
  return documents.map(({ key, title, author_name: authors, first_publish_year: year, cover_i: cover }) => ({
    key: String(key),
    title: typeof title === "string" && title !== "" ? title : "Untitled",
    authors: Array.isArray(authors) ? authors.map(String) : [],
    year: typeof year === "number" ? year : undefined,
    cover: typeof cover === "number" && cover > 0 ? cover : undefined,
  }));
}
