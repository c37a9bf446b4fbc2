import type { JsonObject } from "../../catalog/record.ts";
import { type SubjectType, subjectFolderOf, subjectKeyOf } from "../documents/subject-key.ts";
import type { FacetRequest, FacetValue, Facets } from "../engine.ts";
import { requestMostFrequent } from "../facets.ts";
import { type Query, equals } from "../query/query.ts";
import { escapeSigns } from "../query/syntax.ts";

export interface PageTarget {
  readonly key: string;
  readonly name: string;
  readonly type: SubjectType | "publisher";
  readonly field: string;
  readonly value: string;
}

/** Returns the subject of an address `/subjects/<key>`. */
export function toSubjectTarget(key: string): PageTarget {
  const type = (["person", "place", "time"] as const).find((kind) => key.startsWith(`${kind}:`)) ?? "subject";
  const path = type === "subject" ? key : key.slice(type.length + 1);
  return {
    key: `/subjects/${key}`,
    name: path.replaceAll("_", " "),
    type,
    field: `${type}_key`,
    value: subjectKeyOf(path),
  };
}

/** Returns the publisher of an address `/publishers/<key>`: exactly this name. */
export function toPublisherTarget(key: string): PageTarget {
  const name = key.replaceAll("_", " ");
  return { key: `/publishers/${name}`, name, type: "publisher", field: "publisher_facet", value: name };
}

/** Returns the query for the works of a page. */
export function targetQueryOf({ field, value }: PageTarget): Query {
  return equals(field, value);
}

/** Returns the query of a page as text, for display in answers. */
export function targetTextOf({ field, value }: PageTarget): string {
  return `${field}:"${escapeSigns(value)}"`;
}

/** Returns the key of a subject's page by the name of the subject. */
export function subjectPageKeyOf(type: SubjectType, name: string): string {
  return subjectFolderOf(type) + subjectKeyOf(name);
}

/** Returns the key of a publisher's page by the name of the publisher. */
export function publisherPageKeyOf(name: string): string {
  return `/publishers/${name.replaceAll(" ", "_")}`;
}

const DETAILS_ROWS = 25;
const YEAR_MIN_EXCLUSIVE = 1000;

const FIELDS =
  "author_facet language publisher_facet subject_facet person_facet place_facet time_facet has_fulltext".split(
    " ",
  );
const LISTS: readonly (readonly [member: string, type: SubjectType])[] = [
  ["subjects", "subject"],
  ["places", "place"],
  ["people", "person"],
  ["times", "time"],
];

/** Returns the counts needed for a page with details: the best 25 of each field, and every year. */
export function makeDetailFacets(): FacetRequest[] {
  return [
    ...FIELDS.map((field) => requestMostFrequent(field, DETAILS_ROWS)),
    requestMostFrequent("publish_year", -1),
  ];
}

/**
 * Returns the counts of a page: the members that `details=true` adds to it, and the subject's name in its most frequent
 * spelling.
 */
export function subjectDetailsOf(
  target: PageTarget,
  facets: Facets,
): { readonly name: string | undefined; readonly members: JsonObject } {
  const rows = new Map(
    LISTS.map(([member, type]) => {
      const counted = valuesOf(facets, `${type}_facet`);
      return [
        member,
        counted.map(({ value, count }) => ({ key: subjectPageKeyOf(type, value), name: value, count })),
      ];
    }),
  );
  const publishers = valuesOf(facets, "publisher_facet").map(({ value, count }) => ({
    name: value,
    count,
    key: publisherPageKeyOf(value),
  }));
  const lists = [...rows.values(), publishers];
  const ownRow = lists.flat().find((row) => isTarget(row, target));
  const others = (list: readonly JsonObject[]): JsonObject[] => list.filter((row) => !isTarget(row, target));
  return {
    name: typeof ownRow?.["name"] === "string" ? ownRow["name"] : undefined,
    members: {
      ebook_count: valuesOf(facets, "has_fulltext").find(({ value }) => value === "true")?.count ?? 0,
      ...Object.fromEntries([...rows].map(([member, list]) => [member, others(list)])),
      authors: valuesOf(facets, "author_facet").map(toAuthorRow),
      publishers: others(publishers),
      // Q85: the name of a language is its code.
      languages: valuesOf(facets, "language").map(({ value, count }) => ({ name: value, count })),
      publishing_history: publishingHistoryOf(valuesOf(facets, "publish_year")),
    },
  };
}

function valuesOf({ fields }: Facets, field: string): readonly FacetValue[] {
  return fields[field] ?? [];
}

function toAuthorRow({ value, count }: FacetValue): JsonObject {
  const blank = value.indexOf(" ");
  const olid = blank === -1 ? value : value.slice(0, blank);
  return { name: blank === -1 ? "" : value.slice(blank + 1), key: `/authors/${olid}`, count };
}

/** Returns true for the row of the page's own target. Only publishers are compared by case. */
function isTarget(row: JsonObject, { key, type }: PageTarget): boolean {
  const [rowKey, targetKey] = [String(row["key"]), key].map((text) => text.replaceAll(" ", "_"));
  return type === "publisher" ? rowKey === targetKey : rowKey?.toLowerCase() === targetKey?.toLowerCase();
}

function publishingHistoryOf(counted: readonly FacetValue[]): [number, number][] {
  return counted
    .map(({ value, count }): [number, number] => [Number(value), count])
    .filter(([published]) => published > YEAR_MIN_EXCLUSIVE)
    .toSorted(([a], [b]) => a - b);
}
