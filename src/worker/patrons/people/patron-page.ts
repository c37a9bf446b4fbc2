import { type Reply, PRIVATE } from "../../http/reply.ts";
import { type Page, page } from "../../ui/layout.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { tabs } from "../../ui/tabs.ts";
import { type Words, say } from "../../ui/words.ts";
import { type ShownPatron, personPath } from "./shown-patron.ts";

/** The pages that there are of a patron: where each is, and what it is called. */
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

/** Pages that a patron alone can see. */
const OWN: ReadonlySet<Tab> = new Set(["notes", "observations", "feed"]);
/** Pages that those alone can see who may see his reading log. */
const OPEN: ReadonlySet<Tab> = new Set(["books", "year", "following"]);

/** A page of a patron, and which one of his it is. */
interface PatronPage extends Page {
  readonly tab?: Tab;
  /** What stands beside the heading. */
  readonly aside?: Piece;
}

/** A page of a patron: what it shows depends on who looks, so nobody keeps it. */
export function patronPage(patron: ShownPatron, { tab, aside, ...what }: PatronPage): Reply {
  const body = markup`<div class="bar"><h1>${what.heading === undefined || what.heading === false ? what.title : what.heading}</h1>${aside}</div>
${tabsOf(patron, tab)}${what.body}`;
  return page({ ...what, heading: false, body, cacheControl: PRIVATE });
}

/** Links to all that there is of a patron for the one who looks. */
function tabsOf({ username, isOwn, isOpen, year }: ShownPatron, current: Tab | undefined): Markup {
  // The names of its members, and none besides.
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
