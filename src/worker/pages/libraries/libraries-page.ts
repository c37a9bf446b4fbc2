import { branchesOf } from "../../../catalog/libraries/addresses.ts";
import { type CatalogRecord, keyOf, textOf } from "../../../catalog/record.ts";
import type { Reply } from "../../reply.ts";
import { addressOf } from "../address.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { link, pageLinks, table } from "../parts.ts";

/** Where libraries are listed that say nothing of a country. */
const NOWHERE = "Elsewhere";

/** The libraries of a page, by country. */
export function librariesPage(
  libraries: readonly CatalogRecord[],
  next: { readonly limit: number; readonly offset: number } | undefined,
): Reply {
  const countries = Map.groupBy(libraries, countryOf);
  const names = [...countries.keys()].toSorted(byName);
  const older = next === undefined ? undefined : `/libraries?limit=${next.limit}&offset=${next.offset}`;
  const body = markup`<p>${link("/libraries/register", "Register a library")} · ${link("/libraries/locations.txt", "Locations for maps")}</p>
${libraries.length === 0 && markup`<p>No library takes part yet.</p>`}
${names.map((name) => countryTable(name, countries.get(name) ?? []))}
${pageLinks(undefined, older, { newer: "", older: "More libraries" })}`;
  return page({ title: "Libraries", body });
}

function countryTable(country: string, libraries: readonly CatalogRecord[]): Markup {
  return markup`<h2>${country}</h2>
${table({ caption: `Libraries: ${country}`, columns: ["Library", "Town", "Website", "Notes"], rows: libraries.map(row) })}`;
}

function row(library: CatalogRecord): (Markup | string | false)[] {
  const key = keyOf(library) ?? "";
  const name = textOf(library["name"]) || key;
  // A branch may have a name and nothing else.
  const towns = new Set(
    branches(library).flatMap(({ city, state }) => [city, state].filter(Boolean).join(", ") || []),
  );
  const website = textOf(library["website"]) ?? "";
  const notes = markup`<a href="${addressOf(`${key}/notes`)}">Notes<span class="unseen"> on ${name}</span></a>`;
  return [link(addressOf(key), name), [...towns].join("; "), isWeb(website) && link(website, website), notes];
}

function countryOf(library: CatalogRecord): string {
  return branches(library).find(({ country }) => country !== "")?.country ?? NOWHERE;
}

function branches(library: CatalogRecord) {
  return branchesOf(textOf(library["addresses"]) ?? "");
}

function byName(one: string, other: string): number {
  return Number(one === NOWHERE) - Number(other === NOWHERE) || one.localeCompare(other, "en");
}

/** Anything else in its place, such as a script, is no link. */
function isWeb(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
