import * as z from "zod";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { Goal } from "../../../durable/patron/diary.ts";
import { badData } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, pageNumber } from "../../http/parameters.ts";
import { seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { progress } from "../../ui/progress.ts";
import { postForm } from "../../ui/shelf-forms.ts";
import { bookList, bookPage, listedBooks } from "./book-list.ts";
import { goalPercent } from "../reading/goals.ts";
import { patronPage } from "./person-page.ts";
import { type ShownPatron, LOG_PAGE, personPath, shownPatron } from "./shown-patron.ts";

/** Books of each shelf on the page of all. */
const OVERVIEW_BOOKS = 10;

/** `GET /people/<u>/books`: all shelves of a patron, each with its newest books, for people. */
export const books = operation({
  id: "booksPage",
  summary: "Page of the books of a patron",
  tag: "people",
  path: { username: z.string() },
  responses: LOG_PAGE,
  async handle({ path: { username } }, context) {
    const patron = await shownPatron(context, username);
    if (!patron.isOpen) return seeOther(personPath(patron.username));
    const year = new Date(context.now).getUTCFullYear();
    const { pages } = patronOf(context.stores, patron.username);
    const { goal, sizes, booksRead, ...all } = await pages.overview({ limit: OVERVIEW_BOOKS, year });
    const newest = await listedBooks(context, all.newest);
    const { isOwn } = patron;
    const here = personPath(patron.username, "/books");
    const shelves = SHELVES.map(({ id, key, name }) => {
      const size = sizes[id] ?? 0;
      const newestOfShelf = newest.filter(({ shelf }) => shelf === id);
      return markup`<section aria-labelledby="shelf-${key}"><h2 id="shelf-${key}">${link(`${here}/${key}`, name)} (${size})</h2>
${bookList(newestOfShelf, { patron, here })}
${size > newestOfShelf.length && markup`<p>${link(`${here}/${key}`, `All ${size}: ${name}`)}</p>`}</section>`;
    });
    const body = markup`${isOwn && goalPart(goal, { year, booksRead, here })}${shelves}
<p>${link(`${here}/already-read/year/${year}`, `Finished in ${year}`)}</p>
${
  isOwn &&
  markup`<p>${link("/account/loans", "Your loans")} · ${link(`${here}/already-read/stats`, "Statistics")} ·
${link("/account/import", "Import and export")}</p>`
}`;
    return patronPage(patron, { title: isOwn ? "Your books" : `Books of ${patron.username}`, body });
  },
});

/** For himself: how his goal is getting on. */
function goalPart(
  goal: Goal | null,
  { year, booksRead, here }: { readonly year: number; readonly booksRead: number; readonly here: string },
): Markup {
  return markup`<section aria-labelledby="goal-heading"><h2 id="goal-heading">Reading goal of ${year}</h2>
${
  goal === null
    ? markup`<p>You have read ${booksRead} so far, and set no goal.</p>`
    : progress({
        label: `Books read (${goalPercent(booksRead, goal.target)}%)`,
        done: booksRead,
        total: goal.target,
      })
}
${postForm("/reading-goal.json", here, [
  markup`<input type="hidden" name="year" value="${year}">`,
  goal !== null && markup`<input type="hidden" name="is_update" value="1">`,
  markup`<div class="actions"><label for="goal">Books to read in ${year}</label>
<input id="goal" name="goal" type="number" min="${goal === null ? 1 : 0}" max="10000" required value="${goal?.target ?? ""}">
<button type="submit">Set goal</button></div>`,
  goal !== null && markup`<p class="hint">0 deletes the goal.</p>`,
])}</section>`;
}

/** `GET /people/<u>/books/already-read/year/<yyyy>`: what a patron finished in a year, for people. */
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
    if (!patron.isOpen) return seeOther(personPath(patron.username));
    const { username } = patron;
    const paged = { page, size: ENTRIES_PER_PAGE };
    return bookPage(context, {
      patron,
      title: patron.isOwn ? `Finished in ${year}` : `Finished in ${year}: ${username}`,
      part: await patronOf(context.stores, username).pages.finished(year, paged),
      path: personPath(username, `/books/already-read/year/${year}`),
      more: yearForm(patron, year),
    });
  },
});

const YEAR = /^[1-9]\d{3}$/;

/** The year of a path; throws 400 for one that is not from 1000 to 9999. */
export function yearOf(text: string): number {
  if (!YEAR.test(text)) throw badData("A year has four digits, and is 1000 or later.");
  return Number(text);
}

/** A form that leads to the books finished in another year. */
function yearForm(patron: ShownPatron, year: number): Markup {
  const path = personPath(patron.username, "/books/already-read/year");
  return markup`<nav class="pages" aria-label="Years">${link(`${path}/${year - 1}`, String(year - 1))}
${link(`${path}/${year + 1}`, String(year + 1))}</nav>
${patron.isOwn && markup`<p>${link(`${path}/${year}/stats`, `Statistics of ${year}`)}</p>`}`;
}
