import { workTitleKey } from "../../catalog/matching/title-key.ts";
import { stringsOf } from "../../catalog/record.ts";
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
  const authors = searchedAuthors(record).flatMap((author) => {
    const names = nameWays(author).flatMap(({ own, alternate, years }) => [own, alternate].concat(years));
    return identityWays(author).concat(names);
  });
  const [title = ""] = stringsOf(record["title"]);
  return { editions: eachOnce(editions), authors: eachOnce(authors), workTitle: workTitleKey(title) };
}

function eachOnce(lookups: readonly Lookup[]): Lookup[] {
  return [...new Map(lookups.map((lookup) => [lookupName(lookup), lookup])).values()];
}
