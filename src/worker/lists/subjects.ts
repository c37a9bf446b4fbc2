import { lastSegment } from "../../catalog/keys.ts";
import * as z from "zod";
import { revisionsEtag } from "../../catalog/etag.ts";
import { seedKind, subjectPath } from "../../catalog/lists/seed-entry.ts";
import { type SeedWorks, readSeedWorks } from "../../db/lists/read-lists.ts";
import { type SubjectType, subjectFolder } from "../../search/documents/subject-key.ts";
import { type SubjectCount, SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import { fieldCode, filterToken } from "../../search/indexing/filter-token.ts";
import { editionIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import { subjectTarget } from "../../search/present/subjects.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { askIndex } from "../search/guarded.ts";
import { jsonOrListPage } from "./list.ts";
import { LISTS_CACHE_CONTROL, NO_LIST, OLID_PATH, listNotFound, listOperations } from "./operation.ts";

/** Values of each kind that are counted, whatever limit is asked for. */
const LIST_SUBJECT_VALUES = 20;
/** Authors and subjects among the seeds whose works are looked at. */
const SUBJECT_TOKENS_MAX = 1000;

const countsSchema = z.array(z.object({ name: z.string(), count: z.int(), url: z.string() }));
const answer = z
  .object({
    subjects: countsSchema,
    places: countsSchema,
    people: countsSchema,
    times: countsSchema,
    links: z.object({ self: z.string(), list: z.string() }),
  })
  .meta({ id: "ListSubjectsModel" });

/** `GET <list>/subjects.json`: what the works of a list or series are about. */
export const listSubjects = listOperations({
  ids: { people: "peopleListSubjects", lists: "listSubjects", series: "seriesSubjects" },
  summary: "What the works of a list or series are about",
  path: OLID_PATH,
  query: {
    limit: integer(z.int().gte(0))
      .default(LIST_SUBJECT_VALUES)
      .describe(`Values of each kind; there are never more than ${LIST_SUBJECT_VALUES}`),
  },
  responses: {
    ...NO_LIST,
    200: { description: "Subjects, places, people and times, most frequent first", schema: answer },
  },
  handle: ({ key }, { query: { limit } }, context) =>
    jsonOrListPage(key, context, () => subjectsReply(key, limit, context)),
});

/** Token of the works about the subject that a seed names; undefined for other seeds. */
export function subjectToken(seed: string): string | undefined {
  if (seedKind({ key: seed, record: undefined }) !== "subject") return undefined;
  const { field, value } = subjectTarget(subjectPath(seed).slice("/subjects/".length));
  const code = fieldCode(field);
  return code === undefined || value === "" ? undefined : filterToken(code, value);
}

/** What the works of a list are about, by kind: most frequent first, then by name. */
async function subjectsOfList(
  { books, others }: Pick<SeedWorks, "books" | "others">,
  context: RequestContext,
): Promise<ReadonlyMap<(typeof SUBJECT_COUNT_FIELDS)[number], readonly SubjectCount[]>> {
  const { RECORD_PREFIX: prefix } = context.settings;
  const ids = books.flatMap((key) => indexIdOf(key, prefix) ?? []);
  const tokens = others.slice(0, SUBJECT_TOKENS_MAX).flatMap((seed) => {
    const token = seed.startsWith("/authors/") ? filterToken("ak", lastSegment(seed)) : subjectToken(seed);
    return token ?? [];
  });
  const counts = await askIndex(context, "", (engine) =>
    engine.subjectCounts({ ids, tokens }, LIST_SUBJECT_VALUES),
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

async function subjectsReply(key: string, limit: number, context: RequestContext): Promise<Reply> {
  const works = await readSeedWorks(catalogReader(context), key);
  if (works === undefined) throw listNotFound();
  // Q250: counted in the search index, which follows the records.
  const found = await subjectsOfList(works, context);
  const named = (type: SubjectType) =>
    (found.get(type) ?? []).slice(0, limit).map(({ value: name, count }) => {
      return { name, count, url: subjectFolder(type) + name.toLowerCase().replaceAll(" ", "_") };
    });
  const body = {
    subjects: named("subject"),
    places: named("place"),
    people: named("person"),
    times: named("time"),
    links: { self: `${key}/subjects`, list: key },
  };
  return json(body, {
    etag: revisionsEtag([works.list], JSON.stringify(body)),
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
  });
}
