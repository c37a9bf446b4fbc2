import * as z from "zod";
import { shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import { notFound } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { bars } from "../../ui/chart.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { markup } from "../../ui/markup.ts";
import { say } from "../../ui/words.ts";
import { figures } from "./figures.ts";
import { patronPage } from "./patron-page.ts";
import { OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";
import { yearOf } from "./year.ts";

const RESPONSES = {
  ...OWN_PAGE,
  400: { description: "No year from 1000 on" },
  404: { description: "No such patron or shelf" },
};

/** `GET /people/<u>/books/<shelf>/stats`: statistics of the books of a shelf, for the patron alone. */
export const shelfStatistics = operation({
  id: "shelfStatistics",
  summary: "Page of figures of a shelf",
  tag: "people",
  path: { username: z.string(), shelf: z.string() },
  responses: RESPONSES,
  handle: ({ path }, context) => statistics(context, path),
});

/** Newest books of a shelf that statistics cover. */
const STATISTICS_BOOKS_MAX = 20_000;
/** Most frequent values shown of each kind. */
const STATISTICS_ROWS = 20;

const FIELDS = [
  ["author_facet", "figures.authors"],
  ["subject_facet", "figures.subjects"],
  ["place_facet", "figures.places"],
  ["person_facet", "figures.people"],
  ["time_facet", "figures.times"],
  ["language", "figures.languages"],
  ["first_publish_year", "figures.years"],
] as const;

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
  const { counted, parts } = await figures(context, works, { fields: FIELDS, rows: STATISTICS_ROWS });
  const unknown = works.length - counted;
  const body = markup`<p>${say("figures.counted", { count: counted })}${unknown > 0 && markup` ${say("figures.unknown", { count: unknown })}`}</p>
<div class="charts">${parts.map(({ title, rows }) => bars(title, rows))}</div>`;
  const named = { shelf: say(SHELF_WORDS[wanted.id]), year: String(year) };
  const title = year === undefined ? say("figures.of", named) : say("figures.of_year", named);
  return patronPage(patron, { tab: year === undefined ? "books" : "year", title, body });
}

/** `GET /people/<u>/books/<shelf>/year/<yyyy>/stats`: statistics of the books finished in a year. */
export const yearStatistics = operation({
  id: "yearStatistics",
  summary: "Page of figures of a shelf in one year",
  tag: "people",
  path: { username: z.string(), shelf: z.string(), year: z.string() },
  responses: RESPONSES,
  handle: ({ path }, context) => statistics(context, path),
});
