import { compareValues } from "../../search/text/collation.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { textOf } from "../../catalog/record.ts";
import type { SubjectType } from "../../search/documents/subject-key.ts";
import { subjectPageKeyOf } from "../../search/present/subjects.ts";
import { readDerived } from "../http/derived-answers.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { askIndex, searchCacheControl } from "./guarded.ts";
import { countWorks, makeFacetRequests } from "./facets.ts";
import { publishersIn } from "./subject-search.ts";
import { publisherIndexPage, subjectIndexPage } from "./subject-index-page.ts";

const INDEX_LISTS_SECONDS = 3600;

const KINDS = { subjects: "subject", people: "person", places: "place", times: "time" } as const;

const listedName = z.object({ name: z.string(), key: z.string(), count: z.int() });
type ListedName = z.infer<typeof listedName>;
const list = z.array(listedName);
const subjects = z.object({ subjects: list, people: list, places: list, times: list });
const publishers = z.object({ publishers: list });

interface Counted<Lists> {
  counted: string;
  lists: Lists;
}

/** Lists the subjects with most works by kind, up to an hour old. Two round trips if not cached. */
export function readSubjectIndex(context: RequestContext): Promise<Counted<z.infer<typeof subjects>>> {
  const make = async () => {
    const facets = makeFacetRequests(Object.values(KINDS).map((type) => `${type}_facet`));
    const { fields } = await countWorks({ facets }, "", context);
    const keysOf = (type: SubjectType): string[] =>
      (fields[`${type}_facet`] ?? []).map(({ value }) => subjectPageKeyOf(type, value));
    // The numbers of works in documents include all spellings of a name, as on the pages of subjects.
    const documents = await askIndex(context, "", (engine) =>
      engine.getMany([...new Set(Object.values(KINDS).flatMap(keysOf))]),
    );
    const names = new Map(
      documents.map(({ key, name, work_count: count }): [string, ListedName] => [
        String(key),
        { name: textOf(name) ?? "", key: String(key), count: typeof count === "number" ? count : 0 },
      ]),
    );
    const listOf = (type: SubjectType): ListedName[] =>
      [...new Set(keysOf(type))]
        .flatMap((key) => names.get(key) ?? [])
        .toSorted((a, b) => b.count - a.count || compareValues(a.key, b.key));
    const lists = {
      subjects: listOf(KINDS.subjects),
      people: listOf(KINDS.people),
      places: listOf(KINDS.places),
      times: listOf(KINDS.times),
    };
    return { counted: formatDatetime(context.now), lists };
  };
  return readDerived(context, {
    name: "subjects:v2",
    seconds: INDEX_LISTS_SECONDS,
    make,
    isEmpty: ({ lists }) => lists.subjects.length === 0,
  });
}

/** Lists the publishers with most works, up to an hour old. One round trip if not cached. */
function readPublisherIndex(context: RequestContext): Promise<Counted<z.infer<typeof publishers>>> {
  const make = async () => {
    const { fields } = await countWorks({ facets: makeFacetRequests(["publisher_facet"]) }, "", context);
    return { counted: formatDatetime(context.now), lists: { publishers: publishersIn(fields) } };
  };
  return readDerived(context, { name: "publishers:v2", seconds: INDEX_LISTS_SECONDS, make });
}

/** Subjects with most works, by kind (Q445). */
export const subjectIndexJson = operation({
  id: "subjectIndex",
  summary: "List the subjects, people, places and times with the most works",
  tag: "subjects",
  responses: { 200: { description: "Names with numbers of works", schema: subjects } },
  handle: async (_input, context) =>
    json((await readSubjectIndex(context)).lists, { cacheControl: searchCacheControl(context) }),
});

export const publisherIndexJson = operation({
  id: "publisherIndex",
  summary: "List the publishers with the most works",
  tag: "subjects",
  responses: { 200: { description: "Names with numbers of works", schema: publishers } },
  handle: async (_input, context) =>
    json((await readPublisherIndex(context)).lists, { cacheControl: searchCacheControl(context) }),
});

export const subjectsIndexPage = operation({
  id: "subjectIndexPage",
  summary: "Show the page of subjects",
  tag: "subjects",
  responses: { 200: { description: "HTML page or JSON", schema: subjects, also: ["text/html"] } },
  programs: subjectIndexJson,
  async handle(_input, context) {
    const { counted, lists } = await readSubjectIndex(context);
    return { ...subjectIndexPage(lists, counted), cacheControl: searchCacheControl(context) };
  },
});

export const publishersIndexPage = operation({
  id: "publisherIndexPage",
  summary: "Show the page of publishers",
  tag: "subjects",
  responses: { 200: { description: "HTML page or JSON", schema: publishers, also: ["text/html"] } },
  programs: publisherIndexJson,
  async handle(_input, context) {
    const { counted, lists } = await readPublisherIndex(context);
    return { ...publisherIndexPage(lists.publishers, counted), cacheControl: searchCacheControl(context) };
  },
});
