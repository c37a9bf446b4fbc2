import { type Markup, type Piece, grouped, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import type { FacetGroup } from "./find-page.ts";
import { type Parameters, pageAddress } from "./page-address.ts";

/** Parameters that restrict a search, with what they are called on the page. */
const FILTERS: ReadonlyMap<string, string> = new Map([
  ["title", "Title"],
  ["author", "Author"],
  ["author_key", "Author"],
  ["author_facet", "Author"],
  ["publisher", "Publisher"],
  ["publisher_facet", "Publisher"],
  ["subject", "Subject"],
  ["subject_facet", "Subject"],
  ["person", "Person"],
  ["person_facet", "Person"],
  ["place", "Place"],
  ["place_facet", "Place"],
  ["time", "Time"],
  ["time_facet", "Time"],
  ["first_publish_year", "First published"],
  ["language", "Language"],
  ["contributor", "Contributor"],
  ["isbn", "ISBN"],
  ["lccn", "LCCN"],
  ["oclc", "OCLC number"],
]);
/** Parameters that are yes or no, and what each means. */
const FLAGS: readonly (readonly [name: string, value: string, text: string])[] = [
  ["has_fulltext", "true", "Can be read or borrowed"],
  ["has_fulltext", "false", "Cannot be read or borrowed"],
  ["public_scan", "true", "Free to read"],
  ["public_scan", "false", "Not free to read"],
  ["print_disabled", "true", "For readers with print disabilities"],
  ["print_disabled", "false", "Not for readers with print disabilities only"],
  ["public_scan_b", "true", "Has a free edition"],
  ["public_scan_b", "false", "Has no free edition"],
];

/** Where a search is, and what it is narrowed by. */
export interface Narrowing {
  readonly path: string;
  readonly parameters: Parameters;
  readonly groups: readonly FacetGroup[];
  readonly languages: ReadonlyMap<string, string>;
  readonly authorNames: ReadonlyMap<string, string>;
}

/** What a search is narrowed by, each with a link that takes it away. */
export function activeFilters(narrowing: Narrowing): Piece {
  const { path, parameters } = narrowing;
  const items = parameters.flatMap(([name, value], at) => {
    const text = filterText(name, value, narrowing);
    if (text === undefined) return [];
    const address = pageAddress(path, parameters.toSpliced(at, 1));
    return [markup`<li>${text} <a href="${address}">Remove<span class="unseen"> ${text}</span></a></li>`];
  });
  if (items.length === 0) return undefined;
  return markup`<section aria-labelledby="filters"><h2 id="filters">Narrowed by</h2><ul>${items}</ul></section>`;
}

function filterText(name: string, value: string, { languages, authorNames }: Narrowing): string | undefined {
  const flag = FLAGS.find(([one, of]) => one === name && of === value)?.[2];
  const label = FILTERS.get(name);
  if (flag !== undefined || label === undefined) return flag;
  const names = name === "language" ? languages : authorNames;
  return `${label}: ${names.get(value) ?? value}`;
}

/** Values by which the search can be narrowed further. */
export function facetLists({ path, parameters, groups }: Narrowing): Piece {
  const add = (name: string, value: string): string => pageAddress(path, [...parameters, [name, value]]);
  const names = new Set(parameters.map(([name]) => name));
  const readable = FLAGS.filter(
    ([name, value]) => value === "true" && /^(has_fulltext|public_scan)$/.test(name),
  )
    .filter(([name]) => !names.has(name))
    .map(([name, value, text]) => markup`<li>${link(add(name, value), text)}</li>`);
  if (groups.length === 0 && readable.length === 0) return undefined;
  return markup`<section aria-labelledby="narrow"><h2 id="narrow">Narrow the search</h2>
${readable.length > 0 && markup`<h3>Reading</h3><ul>${readable}</ul>`}${groups.map((group) => facetList(group, add))}</section>`;
}

function facetList(
  { kind, rows, isCounted }: FacetGroup,
  add: (name: string, value: string) => string,
): Markup {
  const items = rows.map(
    ({ value, label, count }) =>
      markup`<li>${link(add(kind.parameter, value), label)}${isCounted && ` (${grouped(count)})`}</li>`,
  );
  return markup`<h3>${kind.title}</h3><ul>${items}</ul>`;
}
