import { type ShelfId, SHELVES } from "../../../catalog/patrons/shelves.ts";
import { chips } from "../../ui/chip.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { say } from "../../ui/words.ts";
import { personPath } from "./shown-patron.ts";

/** Renders links to the shelves of a patron, with their sizes; `current` is the one shown. */
export function shelfChips(
  username: string,
  sizes: Readonly<Record<number, number>>,
  current?: ShelfId,
): Markup {
  const all = SHELVES.map(({ id, key }) => ({
    href: personPath(username, `/books/${key}`),
    text: say(SHELF_WORDS[id]),
    count: sizes[id] ?? 0,
    isCurrent: id === current,
  }));
  return markup`<nav aria-label="${say("my.shelves")}">${chips(all)}</nav>`;
}
