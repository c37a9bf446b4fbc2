import { yearOf } from "../../search/documents/values.ts";
import { type Markup, markup } from "./markup.ts";
import { say } from "./words.ts";

/** Height of the picture, and width of a year, in its own units. */
const HEIGHT = 40;
const WIDTH = 4;
/** Width of a bar where there is room, in CSS pixels. */
const BAR_WIDTH = 20;
/** Years in one picture: of more, several stand in one bar. */
const BARS_MAX = 120;

/** How many there are of a year. */
interface YearCount {
  readonly year: number;
  readonly count: number;
}

/** How many books have a date of a year; dates without one do not count. */
export function countYears(dates: readonly (string | undefined)[]): YearCount[] {
  const counts = new Map<number, number>();
  for (const year of dates.flatMap((date) => yearOf(date ?? "") ?? [])) {
    counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  return [...counts].map(([year, count]) => ({ year, count }));
}

/** How something is spread over the years, as bars; undefined for fewer than two years. */
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
  const peak = years.reduce((best, one) => (one.count > best.count ? one : best));
  const bars = sums.map((sum, at) => {
    if (sum === 0) return undefined;
    const height = Math.max(1, Math.round((sum / most) * HEIGHT));
    return markup`<rect x="${at * WIDTH}" y="${HEIGHT - height}" width="${WIDTH - 1}" height="${height}"/>`;
  });
  const label = say("years.label", { first: String(first), last: String(last), peak: String(peak.year) });
  return markup`<figure class="years"><svg width="${sums.length * BAR_WIDTH}" viewBox="0 0 ${sums.length * WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>
<figcaption aria-hidden="true"><span>${String(first)}</span><span>${String(last)}</span></figcaption></figure>`;
}
