import { type CatalogRecord, type Json, isObject } from "../record.ts";
import { titleMembers } from "./edition.ts";
import { formIdentifiers, identifierText } from "./identifiers.ts";
import { isBlank, sentMembers } from "./members.ts";
import type { NewRecords } from "./new-records.ts";
import { authorRoles, isSameRows, seriesParts } from "./roles.ts";

const TYPE = "/type/work";
const ROWS: ReadonlyMap<string, string> = new Map([
  ["excerpts", "excerpt"],
  ["links", "url"],
]);

/**
 * What the fields `work--*` say of a work (records.md 4.8): its members with new values, null for those that go. Members
 * that the form does not have stay. New authors and series go to `news`. `shown` is what the form was filled with.
 */
export function workMembers(sent: CatalogRecord, shown: CatalogRecord, news: NewRecords): CatalogRecord {
  const { authors, series, identifiers, ...plain } = sent;
  const members: Record<string, Json> = {};
  const read = sentMembers(TYPE, plain, shown);
  Object.assign(members, read, titleMembers(read));
  for (const [name, needed] of ROWS) {
    const rows = members[name];
    if (Array.isArray(rows)) members[name] = rows.filter((row) => isObject(row) && !isBlank(row[needed]));
  }
  if (authors !== undefined && !isSameRows(authors, shown["authors"], "author")) {
    members["authors"] = authorRoles(authors, shown["authors"], news);
  }
  if (series !== undefined && !isSameRows(series, shown["series"], "series")) {
    members["series"] = seriesParts(series, shown["series"], news);
  }
  if (identifiers !== undefined && identifiers !== identifierText(shown["identifiers"])) {
    members["identifiers"] = sourcesOf(identifiers);
  }
  return members;
}

function sourcesOf(identifiers: Json): Json {
  const groups = Map.groupBy(formIdentifiers(identifiers), ({ name }) => name);
  if (groups.size === 0) return null;
  return Object.fromEntries([...groups].map(([name, list]) => [name, list.map(({ value }) => value)]));
}
