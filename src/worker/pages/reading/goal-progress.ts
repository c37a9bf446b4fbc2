import { type Markup, markup } from "../../ui/markup.ts";

/** A goal and what has come of it. `target` is absent when the patron has none for the year. */
export interface GoalProgress {
  readonly year: number;
  readonly booksRead: number;
  readonly target: number | undefined;
}

/** How far a goal is reached, in whole percent; more than 100 when more was read (patrons.md 7). */
function goalPercent(booksRead: number, target: number): number {
  return Math.floor((booksRead / target) * 100);
}

/** A piece of a page that says how a reading goal is getting on. */
export function goalProgress({ year, booksRead, target }: GoalProgress): Markup {
  const books = booksRead === 1 ? "1 book" : `${booksRead} books`;
  if (target === undefined) {
    return markup`<p class="reading-goal">You have read ${books} in ${year}, and set no goal for this year.</p>`;
  }
  return markup`<div class="reading-goal">
  <p id="reading-goal-${year}">You have read ${books} of ${target} in ${year}: ${goalPercent(booksRead, target)} percent.</p>
  <progress max="${target}" value="${Math.min(booksRead, target)}" aria-labelledby="reading-goal-${year}"></progress>
</div>`;
}
