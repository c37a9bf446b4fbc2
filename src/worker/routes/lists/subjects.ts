import * as z from "zod";
import { revisionsEtag } from "../../../catalog/etag.ts";
import { readSeedWorks } from "../../../db/lists/read-seed-works.ts";
import type { SubjectCount } from "../../../db/search/subject-counts.ts";
import { type SubjectType, subjectFolder } from "../../../search/documents/subject-key.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { jsonOrListPage } from "../../lists/json-or-page.ts";
import { listOperation } from "../../lists/list-operation.ts";
import { LISTS_CACHE_CONTROL, type ListFolder, listNotFound } from "../../lists/list-path.ts";
import { LIST_SUBJECT_VALUES, subjectsOfList } from "../../lists/list-subjects.ts";
import { type Reply, json } from "../../reply.ts";
import { integer } from "../../validation/parameters.ts";

const counts = z.array(z.object({ name: z.string(), count: z.int(), url: z.string() }));
const answer = z.object({
  subjects: counts,
  places: counts,
  people: counts,
  times: counts,
  links: z.object({ self: z.string(), list: z.string() }),
});

/** `GET <list>/subjects.json`: what the works of a list or series are about (patrons.md 14.9). */
export const peopleListSubjects = subjectsOperation("people", "peopleListSubjects");
export const listSubjects = subjectsOperation("lists", "listSubjects");
export const seriesSubjects = subjectsOperation("series", "seriesSubjects");

function subjectsOperation(folder: ListFolder, id: string) {
  return listOperation({
    id,
    summary: "What the works of a list or series are about",
    folder,
    number: "olid",
    query: {
      limit: integer(z.int().gte(0))
        .default(LIST_SUBJECT_VALUES)
        .describe(`Values of each kind; there are never more than ${LIST_SUBJECT_VALUES}`),
    },
    responses: {
      200: { description: "Subjects, places, people and times, most frequent first", schema: answer },
    },
    handle: (key, { limit }, context) =>
      jsonOrListPage(key, context, () => subjectsReply(key, limit, context)),
  });
}

async function subjectsReply(key: string, limit: number, context: RequestContext): Promise<Reply> {
  const works = await readSeedWorks(catalogReader(context), key);
  if (works === undefined) throw listNotFound();
  // Q250: counted in the search index, which follows the records.
  const found = await subjectsOfList(works, context);
  const named = (type: SubjectType) =>
    (found.get(type) ?? []).slice(0, limit).map((count) => entryOf(type, count));
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

function entryOf(type: SubjectType, { value, count }: SubjectCount) {
  return { name: value, count, url: subjectFolder(type) + value.toLowerCase().replaceAll(" ", "_") };
}
