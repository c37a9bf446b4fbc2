import { type Markup, type Piece, markup } from "./markup.ts";
import { commas } from "./parts.ts";
import { monthName, number, t } from "./words.ts";

/** Width of a month, height of the chart, and height of the names below, in units of the SVG. */
const MONTH = 40;
const HEIGHT = 96;
const NAMES = 24;
const MONTHS = 12;

export function monthColumns(label: Piece, counts: readonly number[]): Markup | undefined {
  const most = Math.max(0, ...counts);
  if (most === 0) return undefined;
  const columns = Array.from({ length: MONTHS }, (_, at) => {
    const count = counts[at] ?? 0;
    const height = Math.round((count / most) * (HEIGHT - NAMES));
    const middle = at * MONTH + MONTH / 2;
    return markup`${count > 0 && markup`<rect x="${at * MONTH + 4}" y="${HEIGHT - height}" width="${MONTH - 8}" height="${height}" rx="2"/><text x="${middle}" y="${HEIGHT - height - 6}">${number(count)}</text>`}<text x="${middle}" y="${HEIGHT + NAMES - 6}">${monthName(at + 1, "short")}</text>`;
  });
  const texts = counts.flatMap((count, at) =>
    count === 0 ? [] : [markup`${monthName(at + 1, "long")} ${number(count)}`],
  );
  return markup`<figure class="months"><figcaption>${label}</figcaption><svg viewBox="0 0 ${MONTH * MONTHS} ${HEIGHT + NAMES}" role="img" aria-label="${commas(texts)}">${columns}</svg></figure>`;
}

export function bars(
  label: Piece,
  entries: readonly { readonly name: Piece; readonly count: number }[],
): Markup | undefined {
  if (entries.length === 0) return undefined;
  const most = Math.max(1, ...entries.map(({ count }) => count));
  const rows = entries.map(
    ({ name, count }) => markup`<tr><th scope="row">${name}</th><td>${number(count)}</td>
<td aria-hidden="true"><svg viewBox="0 0 100 10" preserveAspectRatio="none"><rect width="${Math.round((count / most) * 100)}" height="10"/></svg></td></tr>`,
  );
  return markup`<table class="bars"><caption>${label}</caption>
<thead class="unseen"><tr><th scope="col">${t("chart.name")}</th><th scope="col">${t("chart.count")}</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** Height of the chart, and width of a bar, in units of the SVG. */
const YEARS_HEIGHT = 40;
const YEAR_WIDTH = 4;
/** Largest width of a bar, in CSS pixels. */
const BAR_WIDTH = 20;
/** Bars of a chart; more years are grouped. */
const BARS_MAX = 120;

interface YearCount {
  year: number;
  count: number;
}

/** Counts books by year. */
export function countYears(years: readonly number[]): YearCount[] {
  const counts = new Map<number, number>();
  for (const year of years) counts.set(year, (counts.get(year) ?? 0) + 1);
  return [...counts].map(([year, count]) => ({ year, count }));
}

/** Draws counts by year as bars; undefined for fewer than two years. */
export function yearBars(counts: readonly YearCount[]): Markup | undefined {
  const years = counts.filter(({ count }) => count > 0).toSorted((a, b) => a.year - b.year);
  const [first, last] = [years[0]?.year, years.at(-1)?.year];
  if (first === undefined || last === undefined || first === last) return undefined;
  const span = Math.ceil((last - first + 1) / BARS_MAX);
  const sums = Array.from({ length: Math.floor((last - first) / span) + 1 }, () => 0);
  for (const { year, count } of years) {
    const at = Math.floor((year - first) / span);
    sums[at] = (sums[at] ?? 0) + count;
  }
  const most = Math.max(...sums);
  const peak = years.reduce((best, next) => (next.count > best.count ? next : best));
  const rects = sums.map((sum, at) => {
    if (sum === 0) return undefined;
    const height = Math.max(1, Math.round((sum / most) * YEARS_HEIGHT));
    return markup`<rect x="${at * YEAR_WIDTH}" y="${YEARS_HEIGHT - height}" width="${YEAR_WIDTH - 1}" height="${height}"/>`;
  });
  const label = t("years.label", { first: String(first), last: String(last), peak: String(peak.year) });
  return markup`<figure class="years"><svg width="${sums.length * BAR_WIDTH}" viewBox="0 0 ${sums.length * YEAR_WIDTH} ${YEARS_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${rects}</svg>
<figcaption aria-hidden="true"><span>${String(first)}</span><span>${String(last)}</span></figcaption></figure>`;
}
