import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { Goal } from "../../../durable/patron/diary.ts";
import type { Reply } from "../../http/reply.ts";
import { monthColumns } from "../../ui/chart.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { dots, link } from "../../ui/parts.ts";
import { postForm } from "../../ui/form.ts";
import { bookShelf } from "../../ui/book-row.ts";
import { number, t } from "../../ui/words.ts";
import { GOAL_MAX } from "../reading/goals.ts";
import type { ListedBook } from "./book-list.ts";
import { type PatronView, patronPage, personPath, shelfChips } from "./patron-page.ts";

interface Overview {
  readonly goal: Goal | null;
  /** Number of works on each shelf, by the shelf's number. */
  readonly sizes: Readonly<Record<number, number>>;
  readonly booksRead: number;
  readonly months: readonly number[];
}

export function booksPage(
  patron: PatronView,
  { goal, sizes, booksRead, months }: Overview,
  newest: readonly ListedBook[],
): Reply {
  const { username, isOwn, year } = patron;
  const here = personPath(username, "/books");
  const ofYear = `${here}/already-read/year/${year}`;
  const shelves = SHELVES.map(({ id, key }) => {
    const books = newest.flatMap(({ shelf, book }) => (shelf === id ? [book] : []));
    const heading = link(`${here}/${key}`, t(SHELF_WORDS[id]));
    return (
      books.length > 0 &&
      markup`<section><h2>${heading} <span class="n">${number(sizes[id] ?? 0)}</span></h2>
${bookShelf(books)}</section>`
    );
  });
  const body = markup`${shelfChips(username, sizes)}
${newest.length === 0 && markup`<p>${isOwn ? t("my.empty") : t("my.none")}</p>`}
${shelves}
${monthColumns(link(ofYear, t("my.months", { year: String(year) })), months)}
${
  isOwn &&
  markup`<p>${dots([
    link("/account/loans", t("account.loans")),
    link(`${here}/already-read/stats`, t("my.statistics")),
    link("/account/import", t("import.title")),
  ])}</p>`
}`;
  return patronPage(patron, {
    tab: "books",
    title: isOwn ? t("nav.my_books") : t("my.of", { name: username }),
    aside: isOwn && renderGoal(goal, { year, booksRead, here }),
    body,
  });
}

function renderGoal(
  goal: Goal | null,
  { year, booksRead, here }: { year: number; booksRead: number; here: string },
): Markup {
  const words = { year: String(year), read: number(booksRead) };
  const head =
    goal === null
      ? t("goal.none", words)
      : markup`${t("goal.of", { ...words, target: number(goal.target) })}
<progress max="${goal.target}" value="${Math.min(booksRead, goal.target)}" aria-label="${t("goal.title", words)}"></progress>`;
  return markup`<details class="goal"><summary>${head}</summary>
${postForm("/reading-goal.json", here, [
  markup`<input type="hidden" name="year" value="${year}">`,
  goal !== null && markup`<input type="hidden" name="is_update" value="1">`,
  markup`<label for="goal">${t("goal.books", words)}</label>${goal !== null && markup`<p class="hint" id="goal-hint">${t("goal.zero")}</p>`}
<input id="goal" name="goal" type="number" min="${goal === null ? 1 : 0}" max="${GOAL_MAX}" required value="${goal?.target}"${goal !== null && markup` aria-describedby="goal-hint"`}>`,
  markup`<p><button class="primary">${t("goal.set")}</button></p>`,
])}</details>`;
}
