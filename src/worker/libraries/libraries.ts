import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { branchesOf } from "../../catalog/lending/library.ts";
import { guardCell } from "../../catalog/patrons/csv.ts";
import { type Json, textOf } from "../../catalog/record.ts";
import { readLibraries, readAddresses } from "../../db/records/libraries.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { json, redirect, plain } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { loansCsv, loansPerDay, periodText, requirePeriod } from "../lending/loan-stats.ts";
import { librariesPage } from "./libraries-page.ts";

const LIBRARIES_LIMIT = { default: 500, max: 500 };
const CACHE_CONTROL = "public, max-age=60";

export const libraries = resource({
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
  async read({ query: { limit, offset } }, context) {
    // Reads one more to find out if there is a next page.
    const rows = await readLibraries(catalogReader(context), { limit: limit + 1, offset });
    return { records: rows.slice(0, limit).map(latestRecordOf), hasMore: rows.length > limit && limit > 0 };
  },
  asJson: ({ records }) => json(records, { cacheControl: CACHE_CONTROL }),
  page({ records, hasMore }, { query: { limit, offset } }) {
    const next = hasMore ? `/libraries?limit=${limit}&offset=${offset + limit}` : undefined;
    return { ...librariesPage(records, next), cacheControl: CACHE_CONTROL };
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
    const lines = [LOCATION_COLUMNS];
    for (const { name: library, addresses } of rows) {
      // JSON extracted from a stored document.
      const stored = addresses === null ? null : (JSON.parse(addresses) as Json);
      for (const branch of branchesOf(textOf(stored) ?? "")) {
        const { coordinates, name, street, city, state, zip, country, telephone, website } = branch;
        // Q457
        if (coordinates === undefined) continue;
        const town = [city, state, zip].filter(Boolean).join(" ");
        const description = [street, town, country, telephone, website].filter(Boolean).join(", ");
        const title = name === "" ? (library ?? "").replace(/\s+/g, " ") : name;
        const { latitude, longitude } = coordinates;
        lines.push([latitude, longitude, guardCell(title), guardCell(description), ...ICON]);
      }
    }
    const body = lines.map((columns) => `${columns.join("\t")}\n`).join("");
    return plain(body, { cacheControl: CACHE_CONTROL });
  },
});
