import * as z from "zod";
import { ALREADY_READ, shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import { notFound } from "../../http/errors.ts";
import { failure } from "../../http/failure.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, pageNumber } from "../../http/parameters.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { engineOf } from "../../search/engine.ts";
import { readFacetRows } from "../../search/facets.ts";
import type { Words } from "../../ui/words.ts";
import { workKey } from "../reading/own-data.ts";
import { listBooks } from "./book-list.ts";
import { LOG_PAGE, OWN_PAGE, personPath, requirePatron } from "./patron-page.ts";
import { statisticsPage, yearPage } from "./reading-statistics-page.ts";

/** Books of a year whose subjects and languages are counted, and number of values of each. */
const COUNTED_MAX = 1000;
const YEAR_ROWS = 8;
const YEAR_FIELDS = [
  ["subject_facet", "figures.subjects"],
  ["language", "figures.languages"],
] as const;

export const booksOfYear = operation({
  id: "booksOfYearPage",
  summary: "Show the books that a patron finished in a year",
  tag: "people",
  path: { username: z.string(), year: z.string() },
  query: { page: pageNumber() },
  responses: { ...LOG_PAGE, 400: { description: "Year outside 1000 to 9999" } },
  async handle({ path, query: { page } }, context) {
    const year = parseYear(path.year);
    const patron = await requirePatron(context, path.username);
    const { username, isOwn } = patron;
    if (!patron.isOpen) return seeOther(personPath(username));
    const { pages } = patronOf(context.stores, username);
    const [finished, works] = await Promise.all([
      pages.finishedBooks(year, { page, size: ENTRIES_PER_PAGE }),
      isOwn ? pages.shelfWorks(ALREADY_READ, { limit: COUNTED_MAX, year }) : [],
    ]);
    const [listed, { charts }] = await Promise.all([
      listBooks(context, finished.entries),
      countFields(context, works, YEAR_FIELDS, YEAR_ROWS),
    ]);
    return yearPage(patron, year, { finished, listed, charts });
  },
});

function parseYear(text: string): number {
  if (!/^[1-9]\d{3}$/.test(text)) throw failure("bad_data.year");
  return Number(text);
}

const RESPONSES = {
  ...OWN_PAGE,
  400: { description: "Year outside 1000 to 9999" },
};

export const shelfStatistics = operation({
  id: "shelfStatistics",
  summary: "Show statistics of a shelf",
  tag: "people",
  path: { username: z.string(), shelf: z.string() },
  responses: RESPONSES,
  handle: ({ path }, context) => sendStatistics(context, path),
});

const STATISTICS_BOOKS_MAX = 20_000;
const STATISTICS_ROWS = 20;

const STATISTICS_FIELDS = [
  ["author_facet", "figures.authors"],
  ["subject_facet", "figures.subjects"],
  ["place_facet", "figures.places"],
  ["person_facet", "figures.people"],
  ["time_facet", "figures.times"],
  ["language", "figures.languages"],
  ["first_publish_year", "figures.years"],
] as const;

async function sendStatistics(
  context: RequestContext,
  path: { username: string; shelf: string; year?: string },
): Promise<Reply> {
  const shelf = shelfOfKey(path.shelf);
  if (shelf === undefined) throw notFound();
  const year = path.year === undefined ? undefined : parseYear(path.year);
  const patron = await requirePatron(context, path.username);
  if (!patron.isOwn) return seeOther(personPath(patron.username));
  const limit = STATISTICS_BOOKS_MAX;
  const works = await patronOf(context.stores, patron.username).pages.shelfWorks(shelf.id, { limit, year });
  const { counted, charts } = await countFields(context, works, STATISTICS_FIELDS, STATISTICS_ROWS);
  return statisticsPage(patron, { shelf: shelf.id, year, counted, unknown: works.length - counted, charts });
}

export const yearStatistics = operation({
  id: "yearStatistics",
  summary: "Show statistics of a shelf for one year",
  tag: "people",
  path: { username: z.string(), shelf: z.string(), year: z.string() },
  responses: RESPONSES,
  handle: ({ path }, context) => sendStatistics(context, path),
});

/** Counts the books that the search index knows, and the `rows` most frequent values of each field. */
async function countFields(
  context: RequestContext,
  works: readonly number[],
  fields: readonly (readonly [field: string, title: Words])[],
  rows: number,
) {
  if (works.length === 0) return { counted: 0, charts: [] };
  const engine = await engineOf(context);
  const { numFound, fields: values } = await engine.facets({
    query: { op: "all" },
    filters: [],
    editionClauses: [],
    keys: works.map((work) => workKey(context, work)),
    facets: fields.map(([field]) => ({ field, limit: rows, sort: "count", offset: 0, mincount: 1 })),
  });
  const charts = fields.map(async ([field, title]) => {
    const facets = await readFacetRows(field, values[field] ?? [], { context, names: "shown" });
    return { title, rows: facets.map(({ label, count }) => ({ name: label, count })) };
  });
  return { counted: numFound, charts: await Promise.all(charts) };
}
