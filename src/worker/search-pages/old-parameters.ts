import { normalForm } from "../../catalog/normal-form.ts";

// Q441: older spellings are taken, and redirected.
/** Parameters of search pages that have other names now (search.md 7.6). */
const NEW_NAMES = new Map([
  ["authors", "author"],
  ["publishers", "publisher"],
  ["wisbn", "isbn"],
]);

/**
 * Where a search page is to be asked instead (search.md 7.6), undefined when its parameters are in order: values without
 * blanks around them, none of them empty, no older names, `q2` before `q`, and a search inside books at its own address.
 */
export function settledSearch(asked: URLSearchParams): string | undefined {
  const given = [...asked];
  const clean = given.flatMap(([name, value]): [string, string][] => {
    const text = normalForm(value, "NFC").trim();
    return text === "" ? [] : [[NEW_NAMES.get(name) ?? name, text]];
  });
  if (clean.some(([name]) => name === "search-fulltext")) return insideAddress(clean);
  const settled = withoutSecondQuery(clean);
  const isSettled =
    settled.length === given.length &&
    settled.every(([name, value], at) => name === given[at]?.[0] && value === given[at]?.[1]);
  if (isSettled) return undefined;
  const query = new URLSearchParams(settled);
  return query.size === 0 ? "/search" : `/search?${query}`;
}

type Entries = readonly (readonly [string, string])[];

function insideAddress(entries: Entries): string {
  return `/search/inside?${new URLSearchParams({ q: last(entries, "q") })}`;
}

function withoutSecondQuery(entries: Entries): [string, string][] {
  const second = last(entries, "q2");
  const others = entries.filter(([name]) => name !== "q2" && (second === "" || name !== "q"));
  const query: [string, string][] = second === "" ? [] : [["q", `${second} ${last(entries, "q")}`.trim()]];
  return [...query, ...others.map(([name, value]): [string, string] => [name, value])];
}

function last(entries: Entries, wanted: string): string {
  return entries.findLast(([name]) => name === wanted)?.[1] ?? "";
}
