import { type Markup, type Piece, markup } from "./markup.ts";
import { monthName, number, say } from "./words.ts";

/** Width of a month and height of the highest column, in the picture's own units; the names stand below. */
const MONTH = 40;
const HEIGHT = 96;
const NAMES = 24;
const MONTHS = 12;

/** How much there is of each month of a year, as columns with their numbers; undefined where there is nothing. */
export function monthColumns(label: Piece, counts: readonly number[]): Markup | undefined {
  const most = Math.max(0, ...counts);
  if (most === 0) return undefined;
  const columns = Array.from({ length: MONTHS }, (_, at) => {
    const count = counts[at] ?? 0;
    const height = Math.round((count / most) * (HEIGHT - NAMES));
    const middle = at * MONTH + MONTH / 2;
    return markup`${count > 0 && markup`<rect x="${at * MONTH + 4}" y="${HEIGHT - height}" width="${MONTH - 8}" height="${height}" rx="2"/><text x="${middle}" y="${HEIGHT - height - 6}">${number(count)}</text>`}<text x="${middle}" y="${HEIGHT + NAMES - 6}">${monthName(at + 1, "short")}</text>`;
  });
  const said = counts.flatMap((count, at) =>
    count === 0 ? [] : [markup`${monthName(at + 1, "long")} ${number(count)}; `],
  );
  return markup`<figure class="months"><figcaption>${label}</figcaption><svg viewBox="0 0 ${MONTH * MONTHS} ${HEIGHT + NAMES}" role="img" aria-label="${said}">${columns}</svg></figure>`;
}

/** Something that is counted. */
interface Counted {
  readonly name: Piece;
  readonly count: number;
}

/** Names with bars beside them, as long as there is much of each, in their order; undefined when there are none. */
export function bars(label: Piece, all: readonly Counted[]): Markup | undefined {
  if (all.length === 0) return undefined;
  const most = Math.max(1, ...all.map(({ count }) => count));
  const rows = all.map(
    ({ name, count }) => markup`<tr><th scope="row">${name}</th><td>${number(count)}</td>
<td aria-hidden="true"><svg viewBox="0 0 100 10" preserveAspectRatio="none"><rect width="${Math.round((count / most) * 100)}" height="10"/></svg></td></tr>`,
  );
  return markup`<table class="bars"><caption>${label}</caption>
<thead class="unseen"><tr><th scope="col">${say("chart.name")}</th><th scope="col">${say("chart.count")}</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}
