import type { ShelfId } from "../../../catalog/patrons/shelves.ts";
import { lastPage } from "../../http/parameters.ts";
import type { Reply } from "../../http/reply.ts";
import { bars, monthColumns } from "../../ui/chart.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { type Words, t } from "../../ui/words.ts";
import { type ListedBook, bookGrid, countLine, numberedLinks } from "./book-list.ts";
import { type PatronView, patronPage, personPath } from "./patron-page.ts";

/** Most frequent values of a field, and the books that have each. */
interface Chart {
  readonly title: Words;
  readonly rows: readonly { readonly name: string; readonly count: number }[];
}

interface YearView {
  readonly finished: { readonly page: number; readonly total: number; readonly months: readonly number[] };
  readonly listed: readonly ListedBook[];
  readonly charts: readonly Chart[];
}

export function yearPage(patron: PatronView, year: number, { finished, listed, charts }: YearView): Reply {
  const { username, isOwn } = patron;
  const pathOf = (other: number): string => personPath(username, `/books/already-read/year/${other}`);
  const yearLink = (other: number): Markup => link(pathOf(other), String(other));
  const words = { year: String(year), name: username };
  return patronPage(patron, {
    tab: "year",
    title: isOwn ? t("my.year", words) : t("my.year_of", words),
    aside: markup`<nav class="line" aria-label="${t("my.years")}">${yearLink(year - 1)} ${year < patron.year && yearLink(year + 1)}</nav>`,
    body: markup`${countLine(finished)}
<div class="charts">${monthColumns(t("my.months", words), finished.months)}${charts.map(renderChart)}</div>
${bookGrid(listed, patron)}
${numberedLinks(pathOf(year), { page: finished.page, last: lastPage(finished.total) })}
${isOwn && markup`<p>${link(`${pathOf(year)}/stats`, t("my.statistics"))}</p>`}`,
  });
}

function renderChart({ title, rows }: Chart): Piece {
  return bars(t(title), rows);
}

interface StatisticsView {
  readonly shelf: ShelfId;
  readonly year: number | undefined;
  /** Books that the search index knows, and others. */
  readonly counted: number;
  readonly unknown: number;
  readonly charts: readonly Chart[];
}

export function statisticsPage(
  patron: PatronView,
  { shelf, year, counted, unknown, charts }: StatisticsView,
): Reply {
  const body = markup`<p>${t("figures.counted", { count: counted })}${unknown > 0 && markup` ${t("figures.unknown", { count: unknown })}`}</p>
<div class="charts">${charts.map(renderChart)}</div>`;
  const words = { shelf: t(SHELF_WORDS[shelf]), year: String(year) };
  const title = year === undefined ? t("figures.of", words) : t("figures.of_year", words);
  return patronPage(patron, { tab: year === undefined ? "books" : "year", title, body });
}
