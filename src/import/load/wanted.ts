import { workTitleKey } from "../../catalog/matching/title-key.ts";
import { keyOf, stringsOf } from "../../catalog/record.ts";
import { searchedAuthors } from "../authors/searched-author.ts";
import { identityWays, nameWays } from "../authors/ways.ts";
import { editionWays } from "../match/ways.ts";
import type { ImportRecord } from "../record.ts";
import { type Lookup, type Wanted, lookupName } from "./lookups.ts";

/** What has to be looked up to decide on a prepared record. */
export function wantedOf(record: ImportRecord): Wanted {
  const { wikisource, ...ways } = editionWays(record);
  const editions =
    wikisource === undefined ? Object.values(ways).flat() : [...ways.openlibrary, ...wikisource];
  editions.push(...workWays(record));
  const authors = searchedAuthors(record).map((author) => {
    const names = nameWays(author).flatMap(({ own, alternate, years }) => [own, alternate].concat(years));
    return identityWays(author).concat(names);
  });
  const [title = ""] = stringsOf(record["title"]);
  return {
    editions: eachOnce(editions),
    authors: eachOnce(inTurns(authors)),
    workTitle: workTitleKey(title),
  };
}

/** The work that the record says it is an edition of. */
function workWays({ works }: ImportRecord): Lookup[] {
  const key = Array.isArray(works) ? keyOf(works[0]) : undefined;
  return key === undefined ? [] : [{ table: "key", name: "", value: key }];
}

/** The first of each list, then the second of each, and so on: of too many the last ones of each are not made. */
function inTurns(lists: readonly (readonly Lookup[])[]): Lookup[] {
  const turns = lists.flatMap((list) => list.map((lookup, turn) => ({ lookup, turn })));
  return turns.sort((a, b) => a.turn - b.turn).map(({ lookup }) => lookup);
}

function eachOnce(lookups: readonly Lookup[]): Lookup[] {
  return [...new Map(lookups.map((lookup) => [lookupName(lookup), lookup])).values()];
}
