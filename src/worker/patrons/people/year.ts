import * as z from "zod";
import { ALREADY_READ } from "../../../catalog/patrons/shelves.ts";
import { badData } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { bars, monthColumns } from "../../ui/chart.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { say } from "../../ui/words.ts";
import { bookGrid, countLine, listedBooks, numberedLinks } from "./book-list.ts";
import { figures } from "./figures.ts";
import { patronPage } from "./patron-page.ts";
import { type ShownPatron, LOG_PAGE, personPath, shownPatron } from "./shown-patron.ts";

/** Books of a year whose subjects and languages are counted, and values shown of each. */
const COUNTED_MAX = 1000;
const SHOWN_VALUES = 8;
const FIELDS = [
  ["subject_facet", "figures.subjects"],
  ["language", "figures.languages"],
] as const;

/** `GET /people/<u>/books/already-read/year/<yyyy>`: books that a patron finished in a year, for people. */
export const booksOfYear = operation({
  id: "booksOfYearPage",
  summary: "Page of the books that a patron finished in a year",
  tag: "people",
  path: { username: z.string(), year: z.string() },
  query: { page: pageNumber() },
  responses: { ...LOG_PAGE, 400: { description: "No year from 1000 on" } },
  async handle({ path, query: { page } }, context) {
    const year = yearOf(path.year);
    const patron = await shownPatron(context, path.username);
    const { username, isOwn } = patron;
    if (!patron.isOpen) return seeOther(personPath(username));
    const { pages } = patronOf(context.stores, username);
    const [part, works] = await Promise.all([
      pages.finished(year, { page, size: ENTRIES_PER_PAGE }),
      isOwn ? pages.shelfWorks(ALREADY_READ, { limit: COUNTED_MAX, year }) : [],
    ]);
    const [listed, { parts }] = await Promise.all([
      listedBooks(context, part.entries),
      figures(context, works, { fields: FIELDS, rows: SHOWN_VALUES }),
    ]);
    const here = personPath(username, `/books/already-read/year/${year}`);
    const charts = parts.map(({ title, rows }) => bars(title, rows));
    const named = { year: String(year), name: username };
    return patronPage(patron, {
      tab: "year",
      title: isOwn ? say("my.year", named) : say("my.year_of", named),
      aside: years(patron, year),
      body: markup`${countLine(part)}
<div class="charts">${monthColumns(say("my.months", named), part.months)}${charts}</div>
${bookGrid(listed, patron)}
${numberedLinks(here, { page: part.page, last: lastPage(part.total) })}
${isOwn && markup`<p>${link(`${here}/stats`, say("my.statistics"))}</p>`}`,
    });
  },
});

const YEAR = /^[1-9]\d{3}$/;

/** Reads the year of a path. Throws 400 for a year that is not from 1000 to 9999. */
export function yearOf(text: string): number {
  if (!YEAR.test(text)) throw badData("Enter a four-digit year.");
  return Number(text);
}

/** Renders links to the years before and after one. */
function years({ username, year: current }: ShownPatron, year: number): Markup {
  const to = (one: number): Markup =>
    link(personPath(username, `/books/already-read/year/${one}`), String(one));
  return markup`<nav class="line" aria-label="${say("my.years")}">${to(year - 1)} ${year < current && to(year + 1)}</nav>`;
}
