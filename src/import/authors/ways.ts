import { authorNameKey, authorYearsKeys, isShortName } from "../../catalog/matching/name-keys.ts";
import type { Lookup } from "../load/lookups.ts";
import type { SearchedAuthor } from "./searched-author.ts";

/** The ways in which one author is looked for by name (import.md 17.2 rule 3). */
export interface NameWays {
  readonly name: string;
  /** Gives authors of that name; case and accents may differ. */
  readonly own: Lookup;
  readonly alternate: Lookup;
  /** Gives authors whose name ends alike and who lived from and to those years. */
  readonly years: readonly Lookup[];
}

/** The ways of each name of an author; names without a letter have none. */
export function nameWays({ author, names }: SearchedAuthor): NameWays[] {
  return names.flatMap((name) => {
    const value = authorNameKey(name);
    if (value === "") return [];
    const alternate: Lookup = { table: "property", name: "alternate_names", value };
    return [
      {
        name,
        // The row `name` holds short names only; long ones stand whole among the alternate ones.
        own: isShortName(name) ? { ...alternate, name: "name" } : alternate,
        alternate,
        years: authorYearsKeys({ ...author, name }).map((years) => property("name_years", years)),
      },
    ];
  });
}

/** The ways to the author that is named by key or by numbers with others (rules 1 and 2). */
export function identityWays({ key, remoteIds }: SearchedAuthor): Lookup[] {
  const keys: Lookup[] = key === undefined ? [] : [{ table: "key", name: "", value: key }];
  return [...keys, ...remoteIds.map(({ source, value }) => property(`remote_ids.${source}`, value))];
}

function property(name: string, value: string): Lookup {
  return { table: "property", name, value };
}
