import { type Markup, forReader, markup } from "./markup.ts";
import { number, t, tenths } from "./words.ts";

const STARS_MAX = 5;

interface Ratings {
  average: number;
  counts: readonly number[];
}

function stars(average: number): Markup {
  const full = Math.round(average);
  return markup`<span class="stars" role="img" aria-label="${t("stars.average", { average: tenths(average) })}">${"★".repeat(full)}${"☆".repeat(STARS_MAX - full)}</span>`;
}

export function ratingLine({ average, counts }: Ratings): Markup {
  const count = counts.reduce((sum, next) => sum + next, 0);
  if (count === 0) return t("stars.none");
  return markup`${stars(average)} <b>${tenths(average)}</b> <span class="soft">${t("stars.ratings", { count })}</span>`;
}

export function histogram({ counts }: Ratings): Markup {
  const most = Math.max(1, ...counts);
  const rows = counts.map((count, at) => {
    const rating = at + 1;
    return markup`<li><span aria-hidden="true">${rating}★</span><meter min="0" max="${most}" value="${count}" aria-label="${t("stars.given", { count: rating })}"></meter><span>${number(count)}</span></li>`;
  });
  return markup`<ul class="hist" aria-label="${t("stars.histogram")}">${rows.toReversed()}</ul>`;
}

/** Makes the form for rating a work: a button for each number of stars, and one to remove the rating. */
export function starForm({
  key,
  title,
  stars: current,
}: {
  key: string;
  title: string;
  stars: number | null;
}): Markup {
  const buttons = Array.from({ length: STARS_MAX }, (_, at) => {
    const rating = at + 1;
    const state = current === rating && markup` aria-pressed="true"`;
    return markup`<button name="rating" value="${rating}"${state}><span aria-hidden="true">${rating <= (current ?? 0) ? "★" : "☆"}</span><span class="unseen">${t("stars.give", { count: rating, title })}</span></button>`;
  });
  return forReader(
    ({ here }) => markup`<form class="rate" method="post" action="${key}/ratings.json" data-in-place>
<input type="hidden" name="redir_url" value="${here}">${buttons}${
      current !== null &&
      markup`<button name="rating" value="">${t("stars.take_back")}<span class="unseen"> ${title}</span></button>`
    }</form>`,
  );
}
