import type { HoldingList } from "../../../db/lists/read-lists.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { percentage, t } from "../../ui/words.ts";

export function goalProgress(year: number, booksRead: number, target: number | undefined): Markup {
  if (target === undefined) {
    return markup`<p class="reading-goal">${t("goal.progress_without", { count: booksRead, year: String(year) })}</p>`;
  }
  // More than 100 if more was read.
  const percent = percentage(Math.floor((booksRead / target) * 100) / 100);
  return markup`<div class="reading-goal">
  <p id="reading-goal-${year}">${t("goal.progress", { count: booksRead, target, year: String(year), percent })}</p>
  <progress max="${target}" value="${Math.min(booksRead, target)}" aria-labelledby="reading-goal-${year}"></progress>
</div>`;
}

export function listDropper(lists: readonly HoldingList[]): Markup {
  if (lists.length === 0) return markup`<p class="list-dropper">${t("dropper.no_lists")}</p>`;
  return markup`<ul class="list-dropper">
${lists.map(({ key, name }) => markup`  <li><a href="${key}">${name === "" ? key : name}</a></li>\n`)}</ul>`;
}
