import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { type Branch, branchesOf } from "../../catalog/lending/library.ts";
import { guardCell } from "../../catalog/patrons/csv.ts";
import { type CatalogRecord, type Json, keyOf, textOf } from "../../catalog/record.ts";
import { readLibraries, readAddresses } from "../../db/records/libraries.ts";
import { isForPeople } from "../http/accept.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, json, redirect, plain } from "../http/reply.ts";
import { loansCsv, loansPerDay, periodText, requirePeriod } from "../lending/loan-stats.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { t } from "../ui/words.ts";

const LIBRARIES_LIMIT = { default: 500, max: 500 };
const CACHE_CONTROL = "public, max-age=60";

export const libraries = operation({
  id: "libraries",
  summary: "List libraries: records by key, or a page by country for browsers",
  tag: "libraries",
  query: {
    limit: integer(z.int().gte(0).lte(LIBRARIES_LIMIT.max)).default(LIBRARIES_LIMIT.default),
    offset: integer(z.int().gte(0)).default(0),
  },
  responses: {
    200: {
      // Q456: notes are left out.
      description: "Records without their notes",
      schema: z.array(z.looseObject({ key: z.string() })),
      also: ["text/html"],
    },
  },
  async handle({ query: { limit, offset } }, context) {
    // Reads one more to find out if there is a next page.
    const rows = await readLibraries(catalogReader(context), { limit: limit + 1, offset });
    const records = rows.slice(0, limit).map(latestRecordOf);
    if (!isForPeople(context)) {
      return json(records, { cacheControl: CACHE_CONTROL, headers: { Vary: "Accept" } });
    }
    const hasMore = rows.length > limit && limit > 0;
    const next = hasMore ? `/libraries?limit=${limit}&offset=${offset + limit}` : undefined;
    return librariesPage(records, next);
  },
});

export const libraryStats = operation({
  id: "libraryStats",
  summary: "Redirect to the loan statistics",
  tag: "libraries",
  responses: { 303: { description: "Redirect to the loan statistics" } },
  handle: () => redirect(303, "/stats/lending"),
});

export const libraryStatsFile = operation({
  id: "libraryStatsFile",
  summary: "Export the number of loans of a library by day as CSV",
  tag: "libraries",
  path: { name: z.string().max(200).describe("Last segment of the library's key") },
  query: { t: periodText },
  responses: {
    200: { description: "Loans by day", contentType: "application/csv" },
    422: { description: "Invalid or too long period" },
  },
  async handle({ path: { name }, query: { t: days } }, context) {
    const loans = await loansPerDay(
      context,
      { kind: "libraries", value: name },
      requirePeriod(days, context),
    );
    return loansCsv(loans, name);
  },
});

/** Group of libraries whose addresses name no country; listed last. */
const NO_COUNTRY = "Elsewhere";

function librariesPage(records: readonly CatalogRecord[], older: string | undefined): Reply {
  const countries = Map.groupBy(records, countryOf);
  const names = [...countries.keys()].toSorted(byName);
  const body = markup`<p>${link("/libraries/register", t("library.register_title"))} · ${link("/libraries/locations.txt", t("library.locations"))}</p>
${records.length === 0 && markup`<p>${t("library.none")}</p>`}
${names.map((name) => countryTable(name, countries.get(name) ?? []))}
${pageLinks(undefined, older, { newer: "", older: t("library.more") })}`;
  return page({ title: t("nav.libraries"), body, cacheControl: CACHE_CONTROL });
}

function countryTable(country: string, records: readonly CatalogRecord[]): Markup {
  const name = country === NO_COUNTRY ? t("library.elsewhere") : country;
  return markup`<h2>${name}</h2>
${table({
  caption: t("list.pair", { name: t("nav.libraries"), value: name }),
  columns: [t("library.library"), t("library.town"), t("library.website"), t("library.notes")],
  rows: records.map(libraryRow),
})}`;
}

function libraryRow(library: CatalogRecord): (Markup | string | false)[] {
  const key = keyOf(library) ?? "";
  const name = textOf(library["name"]) || key;
  // A branch may have nothing but a name.
  const towns = branchesIn(library).flatMap(
    ({ city, state }) => [city, state].filter(Boolean).join(", ") || [],
  );
  const website = textOf(library["website"]) ?? "";
  const notes = markup`<a href="${addressOf(`${key}/notes`)}">${t("library.notes")}<span class="unseen">: ${name}</span></a>`;
  return [
    link(addressOf(key), name),
    [...new Set(towns)].join("; "),
    isWebAddress(website) && link(website, website),
    notes,
  ];
}

function countryOf(library: CatalogRecord): string {
  return branchesIn(library).find(({ country }) => country !== "")?.country ?? NO_COUNTRY;
}

function branchesIn(library: CatalogRecord) {
  return branchesOf(textOf(library["addresses"]) ?? "");
}

function byName(a: string, b: string): number {
  return Number(a === NO_COUNTRY) - Number(b === NO_COUNTRY) || a.localeCompare(b, "en");
}

/** False for other text, such as `javascript:`, which must not become a link. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

const LOCATED_LIBRARIES_MAX = 10_000;

const LOCATION_COLUMNS = ["lat", "lon", "title", "description", "icon", "iconSize", "iconOffset"];
/** Icon on the map, its size and its offset in pixels. */
const ICON = ["/images/icons/library.svg", "24,24", "-12,-24"];

export const libraryLocations = operation({
  id: "libraryLocations",
  summary: "List branches of libraries with their coordinates",
  tag: "libraries",
  responses: { 200: { description: "Lines of tab-separated columns", contentType: "text/plain" } },
  async handle(_input, context) {
    const rows = await readAddresses(catalogReader(context), LOCATED_LIBRARIES_MAX);
    const lines = rows.flatMap(({ name, addresses }) => {
      // JSON extracted from a stored document.
      const stored = addresses === null ? null : (JSON.parse(addresses) as Json);
      return branchesOf(textOf(stored) ?? "").flatMap((branch) => locationLine(branch, name ?? ""));
    });
    const body = [LOCATION_COLUMNS.join("\t"), ...lines].map((text) => `${text}\n`).join("");
    return plain(body, { cacheControl: CACHE_CONTROL });
  },
});

/** Returns the line of a branch; none if its coordinates are unknown (Q457). */
function locationLine(branch: Branch, library: string): string[] {
  const { coordinates, name, street, city, state, zip, country, telephone, website } = branch;
  if (coordinates === undefined) return [];
  const town = [city, state, zip].filter((part) => part !== "").join(" ");
  const description = [street, town, country, telephone, website].filter((part) => part !== "").join(", ");
  const { latitude, longitude } = coordinates;
  const title = name === "" ? library.replace(/\s+/g, " ") : name;
  return [[latitude, longitude, guardCell(title), guardCell(description), ...ICON].join("\t")];
}
