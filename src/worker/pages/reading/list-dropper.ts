import type { HoldingList } from "../../../db/lists/read.ts";
import { type Markup, markup } from "../../ui/markup.ts";

/** A piece of a page: the patron's lists, by name. */
export function listDropper(lists: readonly HoldingList[]): Markup {
  if (lists.length === 0) return markup`<p class="list-dropper">You have no lists yet.</p>`;
  return markup`<ul class="list-dropper">
${lists.map(({ key, name }) => markup`  <li><a href="${key}">${name === "" ? key : name}</a></li>\n`)}</ul>`;
}
