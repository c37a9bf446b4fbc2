import { type Markup, forReader, markup } from "./markup.ts";
import { number, say } from "./words.ts";

const MOST = 5;

/** How readers rate a book: the mean, and how many gave it one to five stars. */
interface Ratings {
  readonly average: number;
  readonly counts: readonly number[];
}

/** Stars in place of a number, which is read out. */
function stars(average: number): Markup {
  const full = Math.round(average);
  return markup`<span class="stars" role="img" aria-label="${say("stars.average", { average: average.toFixed(1) })}">${"★".repeat(full)}${"☆".repeat(MOST - full)}</span>`;
}

/** Mean and number of the ratings of a book. */
export function ratingLine({ average, counts }: Ratings): Markup {
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (count === 0) return say("stars.none");
  return markup`${stars(average)} <b>${average.toFixed(1)}</b> <span class="soft">${say("stars.ratings", { count })}</span>`;
}

/** How many gave each number of stars, most stars first. */
export function histogram({ counts }: Ratings): Markup {
  const most = Math.max(1, ...counts);
  const rows = counts.map((count, at) => {
    const given = at + 1;
    return markup`<li><span aria-hidden="true">${given}★</span><meter min="0" max="${most}" value="${count}" aria-label="${say("stars.given", { stars: given })}"></meter><span>${number(count)}</span></li>`;
  });
  return markup`<ul class="hist" aria-label="${say("stars.histogram")}">${rows.toReversed()}</ul>`;
}

/** The form by which a patron rates a work: a button for each number of stars, and one to take the rating back. */
export function starForm({
  key,
  title,
  stars: own,
}: {
  readonly key: string;
  readonly title: string;
  readonly stars: number | null;
}): Markup {
  const buttons = Array.from({ length: MOST }, (_, at) => {
    const given = at + 1;
    const state = own === given && markup` aria-pressed="true"`;
    return markup`<button name="rating" value="${given}"${state}><span aria-hidden="true">${given <= (own ?? 0) ? "★" : "☆"}</span><span class="unseen">${say("stars.give", { count: given, title })}</span></button>`;
  });
  return forReader(
    ({ here }) => markup`<form class="rate" method="post" action="${key}/ratings.json" data-in-place>
<input type="hidden" name="redir_url" value="${here}">${buttons}${
      own !== null &&
      markup`<button name="rating" value="">${say("stars.take_back")}<span class="unseen"> ${title}</span></button>`
    }</form>`,
  );
}
