import { textOf } from "../../catalog/record.ts";
import type { SubjectType } from "../../search/documents/subject-key.ts";
import type { FacetValue } from "../../search/engine.ts";
import { publisherPageKey, subjectPageKey } from "../../search/present/subject-target.ts";
import { derived } from "../answers/derived.ts";
import type { RequestContext } from "../context.ts";
import { facetRequest } from "../routes/search/facets.ts";
import { engineOf } from "../search/engine-of.ts";
import { guarded } from "../search/guarded.ts";

/** How long the indexes of subjects and publishers are kept, in seconds: they look at all works. */
export const INDEX_LISTS_SECONDS = 3600;

/** A subject or publisher with how many works have it. */
export interface ListedName {
  readonly name: string;
  readonly key: string;
  readonly count: number;
}

/** The most frequent subjects of each kind. */
export interface SubjectIndex {
  readonly subjects: readonly ListedName[];
  readonly people: readonly ListedName[];
  readonly places: readonly ListedName[];
  readonly times: readonly ListedName[];
}

/** The subjects of most works, up to an hour old. Two round trips when they are made. */
export function subjectIndex(context: RequestContext): Promise<SubjectIndex> {
  return kept("subjects:v1", context, async () => {
    const fields = await mostFrequent(
      ["subject", "person", "place", "time"].map((type) => `${type}_facet`),
      context,
    );
    const keysOf = (type: SubjectType): string[] => [
      ...new Set((fields[`${type}_facet`] ?? []).map(({ value }) => subjectPageKey(type, value))),
    ];
    const [subjects, people, places, times] = [
      keysOf("subject"),
      keysOf("person"),
      keysOf("place"),
      keysOf("time"),
    ];
    const counts = await namesByKey([...subjects, ...people, ...places, ...times], context);
    const listed = (keys: readonly string[]): ListedName[] =>
      keys.flatMap((key) => counts.get(key) ?? []).toSorted(byCount);
    return {
      subjects: listed(subjects),
      people: listed(people),
      places: listed(places),
      times: listed(times),
    };
  });
}

/** The publishers of most works, up to an hour old. One round trip when they are made. */
export function publisherIndex(context: RequestContext): Promise<readonly ListedName[]> {
  return kept("publishers:v1", context, async () => {
    const { publisher_facet: values = [] } = await mostFrequent(["publisher_facet"], context);
    return values.map(({ value, count }) => ({ name: value, key: publisherPageKey(value), count }));
  });
}

function kept<Value>(name: string, context: RequestContext, make: () => Promise<Value>): Promise<Value> {
  return derived(context.stores.cache, {
    name,
    seconds: INDEX_LISTS_SECONDS,
    make,
    waitUntil: (promise) => context.waitUntil(promise),
  });
}

async function mostFrequent(
  fields: readonly string[],
  context: RequestContext,
): Promise<Readonly<Record<string, readonly FacetValue[]>>> {
  const search = {
    query: { op: "all" },
    filters: [],
    editionClauses: [],
    facets: fields.map(facetRequest),
  } as const;
  const found = await guarded(async () => (await engineOf(context)).facets(search), "");
  return found.fields;
}

/** Spellings of a name are one subject: its own document says how many works have it, as its page does. */
async function namesByKey(
  keys: readonly string[],
  context: RequestContext,
): Promise<ReadonlyMap<string, ListedName>> {
  const documents = await guarded(async () => (await engineOf(context)).getMany(keys), "");
  return new Map(
    documents.map(({ key, name, work_count: count }): [string, ListedName] => [
      String(key),
      { name: textOf(name) ?? "", key: String(key), count: typeof count === "number" ? count : 0 },
    ]),
  );
}

function byCount(one: ListedName, other: ListedName): number {
  return other.count - one.count || Number(one.key > other.key) - Number(one.key < other.key);
}
