import { type Reply, PRIVATE } from "../../http/reply.ts";
import { type Page, page } from "../../ui/layout.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { tabs } from "../../ui/tabs.ts";
import { type Words, say } from "../../ui/words.ts";
import { type ShownPatron, personPath } from "./shown-patron.ts";

/** Pages of a patron: path and label. */
const TABS = {
  books: ["/books", "person.books"],
  year: ["/books/already-read/year/", "person.year"],
  notes: ["/books/notes", "person.notes"],
  observations: ["/books/observations", "person.observations"],
  lists: ["/lists", "nav.lists"],
  feed: ["/books/feed", "person.feed"],
  following: ["/following", "person.following"],
  followers: ["/followers", "person.followers"],
  profile: ["", "person.profile"],
} as const satisfies Record<string, readonly [rest: string, words: Words]>;

type Tab = keyof typeof TABS;

const OWN: ReadonlySet<Tab> = new Set(["notes", "observations", "feed"]);
/** Pages for readers who may see the patron's reading log. */
const OPEN: ReadonlySet<Tab> = new Set(["books", "year", "following"]);

/** Page of a patron, and its tab. */
interface PatronPage extends Page {
  readonly tab?: Tab;
  /** Content beside the heading. */
  readonly aside?: Piece;
}

/** Writes a page of a patron. Its content depends on the reader, so it is never cached. */
export function patronPage(patron: ShownPatron, { tab, aside, ...what }: PatronPage): Reply {
  const body = markup`<div class="bar"><h1>${what.heading === undefined || what.heading === false ? what.title : what.heading}</h1>${aside}</div>
${tabsOf(patron, tab)}${what.body}`;
  return page({ ...what, heading: false, body, cacheControl: PRIVATE });
}

/** Renders links to all pages of a patron that the reader may see. */
function tabsOf({ username, isOwn, isOpen, year }: ShownPatron, current: Tab | undefined): Markup {
  // The keys are exactly those of `TABS`.
  const shown = (Object.keys(TABS) as Tab[]).filter(
    (tab) => (isOwn || !OWN.has(tab)) && (isOpen || !OPEN.has(tab)),
  );
  const label = isOwn ? say("person.yours") : say("person.of", { name: username });
  return tabs(
    label,
    shown.map((tab) => {
      const [rest, words] = TABS[tab];
      const path = tab === "year" ? `${rest}${year}` : rest;
      return { href: personPath(username, path), text: say(words), isCurrent: tab === current };
    }),
  );
}
