import * as z from "zod";
import { shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import { notFound } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { engineOf } from "../../search/engine.ts";
import { facetRows } from "../../search/facets.ts";
import { markup } from "../../ui/markup.ts";
import { workKey } from "../reading/parameters.ts";
import { yearOf } from "./books.ts";
import { patronPage } from "./person-page.ts";
import { OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";
import { table } from "../../ui/table.ts";

const RESPONSES = {
  ...OWN_PAGE,
  400: { description: "No year from 1000 on" },
  404: { description: "There is no such patron or shelf" },
};

/** `GET /people/<u>/books/<shelf>/stats`: what the books of a shelf have in common, for the patron himself. */
export const shelfStatistics = operation({
  id: "shelfStatistics",
  summary: "Page of figures of a shelf",
  tag: "people",
  path: { username: z.string(), shelf: z.string() },
  responses: RESPONSES,
  handle: ({ path }, context) => statistics(context, path),
});

/** The newest books of a shelf that statistics are made of. */
const STATISTICS_BOOKS_MAX = 20_000;
/** Values of each kind that are shown, the most frequent ones. */
const STATISTICS_ROWS = 20;

async function statistics(
  context: RequestContext,
  path: { readonly username: string; readonly shelf: string; readonly year?: string },
): Promise<Reply> {
  const wanted = shelfOfKey(path.shelf);
  if (wanted === undefined) throw notFound();
  const year = path.year === undefined ? undefined : yearOf(path.year);
  const patron = await shownPatron(context, path.username);
  if (!patron.isOwn) return seeOther(personPath(patron.username));
  const limit = STATISTICS_BOOKS_MAX;
  const works = await patronOf(context.stores, patron.username).pages.shelfWorks(wanted.id, { limit, year });
  const { counted, parts } = await figures(context, works);
  const unknown = works.length - counted;
  const tables = parts
    .filter(({ rows }) => rows.length > 0)
    .map(({ title: caption, rows }) =>
      table({ caption, columns: [caption, "Books"], rows: rows.map(({ label, count }) => [label, count]) }),
    );
  const body = markup`<p>Books counted here: ${counted}.${unknown > 0 && ` Not to be found in the search: ${unknown}.`}</p>
${tables}`;
  const title = `Statistics: ${wanted.name}${year === undefined ? "" : `, ${year}`}`;
  return patronPage(patron, { title, body });
}

const FIELDS: readonly (readonly [string, string])[] = [
  ["author_facet", "Authors"],
  ["subject_facet", "Subjects"],
  ["place_facet", "Places"],
  ["person_facet", "People"],
  ["time_facet", "Times"],
  ["language", "Languages of editions"],
  ["first_publish_year", "Years of first publication"],
];

/** How many of the books the search knows, and what they have in common. */
async function figures(context: RequestContext, works: readonly number[]) {
  if (works.length === 0) return { counted: 0, parts: [] };
  const engine = await engineOf(context);
  const { numFound, fields } = await engine.facets({
    query: { op: "all" },
    filters: [],
    editionClauses: [],
    keys: works.map((work) => workKey(context, work)),
    facets: FIELDS.map(([field]) => {
      return { field, limit: STATISTICS_ROWS, sort: "count", offset: 0, mincount: 1 };
    }),
  });
  const parts = FIELDS.map(async ([field, title]) => ({
    title,
    rows: await facetRows(field, fields[field] ?? [], context),
  }));
  return { counted: numFound, parts: await Promise.all(parts) };
}

/** `GET /people/<u>/books/<shelf>/year/<yyyy>/stats`: the same of the books finished in a year. */
export const yearStatistics = operation({
  id: "yearStatistics",
  summary: "Page of figures of a shelf in one year",
  tag: "people",
  path: { username: z.string(), shelf: z.string(), year: z.string() },
  responses: RESPONSES,
  handle: ({ path }, context) => statistics(context, path),
});
