import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { branchesOf } from "../../catalog/lending/library.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import { readLibraries } from "../../db/records/libraries.ts";
import { isForPeople } from "../accounts/account-page.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, json, redirect } from "../http/reply.ts";
import { loansCsv, loansPerDay, periodText, requiredPeriod } from "../lending/loan-stats.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { say } from "../ui/words.ts";

/** Libraries in an answer: when no number is given, and at most. */
const LIBRARIES_LIMIT = { default: 500, max: 500 };
/** How long clients may keep what libraries there are. */
const CONTROL = "public, max-age=60";

/** `GET /libraries[.json]`: the libraries that were let in. */
export const libraries = operation({
  id: "libraries",
  summary: "Libraries: records by key for programs, a page by country for people",
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
    // One more tells whether there is a next page.
    const rows = await readLibraries(catalogReader(context), { limit: limit + 1, offset });
    const records = rows.slice(0, limit).map(latestRecord);
    const more = { cacheControl: CONTROL, headers: { Vary: "Accept" } };
    if (!isForPeople(context)) return json(records, more);
    const hasMore = rows.length > limit && limit > 0;
    const next = hasMore ? `/libraries?limit=${limit}&offset=${offset + limit}` : undefined;
    return librariesPage(records, next);
  },
});

/** `GET /libraries/stats`: where the numbers are now. */
export const libraryStats = operation({
  id: "libraryStats",
  summary: "Leads to the numbers of loans",
  tag: "libraries",
  responses: { 303: { description: "To the numbers of loans" } },
  handle: () => redirect(303, "/stats/lending"),
});

/** `GET /libraries/stats/<name>.csv`: loans of a library by day, as `/stats/lending/libraries/<name>` counts them. */
export const libraryStatsFile = operation({
  id: "libraryStatsFile",
  summary: "How many books of a library were borrowed on each day, as CSV",
  tag: "libraries",
  path: { name: z.string().max(200).describe("Last part of the library's key") },
  query: { t: periodText },
  responses: {
    200: { description: "Loans by day", contentType: "application/csv" },
    422: { description: "No period, or too long a one" },
  },
  async handle({ path: { name }, query: { t } }, context) {
    const loans = await loansPerDay(context, { kind: "libraries", value: name }, requiredPeriod(t, context));
    return loansCsv(loans, name);
  },
});

/** Where libraries are listed that say nothing of a country. */
const NOWHERE = "Elsewhere";

/** The libraries of a page, by country; `older` is the address of the next page. */
function librariesPage(shown: readonly CatalogRecord[], older: string | undefined): Reply {
  const countries = Map.groupBy(shown, countryOf);
  const names = [...countries.keys()].toSorted(byName);
  const body = markup`<p>${link("/libraries/register", say("library.register_title"))} · ${link("/libraries/locations.txt", say("library.locations"))}</p>
${shown.length === 0 && markup`<p>${say("library.none")}</p>`}
${names.map((name) => countryTable(name, countries.get(name) ?? []))}
${pageLinks(undefined, older, { newer: "", older: say("library.more") })}`;
  return page({ title: say("nav.libraries"), body, cacheControl: CONTROL });
}

function countryTable(country: string, records: readonly CatalogRecord[]): Markup {
  return markup`<h2>${country === NOWHERE ? say("library.elsewhere") : country}</h2>
${table({ caption: markup`${say("nav.libraries")}: ${country === NOWHERE ? say("library.elsewhere") : country}`, columns: [say("library.library"), say("library.town"), say("library.website"), say("library.notes")], rows: records.map(row) })}`;
}

function row(library: CatalogRecord): (Markup | string | false)[] {
  const key = keyOf(library) ?? "";
  const name = textOf(library["name"]) || key;
  // A branch may have a name and nothing else.
  const towns = new Set(
    branches(library).flatMap(({ city, state }) => [city, state].filter(Boolean).join(", ") || []),
  );
  const website = textOf(library["website"]) ?? "";
  const notes = markup`<a href="${addressOf(`${key}/notes`)}">${say("library.notes")}<span class="unseen">: ${name}</span></a>`;
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
