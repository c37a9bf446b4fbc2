import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../../catalog/record.ts";
import { type Reply, PRIVATE } from "../../http/reply.ts";
import { factList } from "../../ui/facts.ts";
import { type Page, page } from "../../ui/layout.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { followAction } from "../../accounts/follow.ts";
import { type ShownPatron, personPath } from "./shown-patron.ts";
import { moment } from "../../ui/words.ts";

/** Entries of each shelf, by its number; undefined when the reader may not see them. */
type ShelfSizes = Readonly<Record<number, number>> | undefined;

/** What a patron's own page shows besides him. */
interface PersonView {
  readonly record: CatalogRecord;
  readonly sizes: ShelfSizes;
  /** Does the reader follow him? Undefined when he cannot. */
  readonly isFollowed: boolean | undefined;
}

const WEB_ADDRESS = /^https?:\/\//i;

/** A page of a patron: what it shows depends on who looks, so nobody keeps it. */
export function patronPage(patron: ShownPatron, what: Page): Reply {
  const body = markup`${patronLinks(patron)}${what.body}`;
  return page({ ...what, body, cacheControl: PRIVATE });
}

/** Links to all that there is of a patron for the one who looks. */
function patronLinks({ username, isOwn, isOpen }: ShownPatron): Markup {
  const links: [string, string][] = [["", "Profile"]];
  if (isOpen) links.push(["/books", "Books"]);
  links.push(["/lists", "Lists"], ["/following", "Following"], ["/followers", "Followers"]);
  if (isOwn) {
    links.push(["/books/feed", "News"], ["/books/notes", "Notes"], ["/books/observations", "Observations"]);
  }
  const items = links.map(([rest, text]) => link(personPath(username, rest), text));
  const name = isOwn ? "Yours" : `Of ${username}`;
  return markup`<nav class="pages" aria-label="${name}">${items.map((item) => markup`${item} `)}</nav>`;
}

/** The page of a patron as others see him. */
export function personPage(patron: ShownPatron, { record, sizes, isFollowed }: PersonView): Reply {
  const { username, displayname, created, isOwn } = patron;
  // Anybody can write anything into his record, a script's address too.
  const websites = stringsOf(record["website"]).filter((address) => WEB_ADDRESS.test(address));
  const links = websites.map(
    (address) => markup`<a href="${address}" rel="nofollow noopener">${address}</a> `,
  );
  const body = markup`${factList([
    ["Username", username],
    ["Here since", moment(created)],
    ["About", textOf(record["description"])],
    ["Websites", links.length === 0 ? undefined : links],
  ])}
${followForm(patron, isFollowed)}
${shelfSizes(patron, sizes)}
<p>${link(`/recentchanges?author=${encodeURIComponent(`/people/${username}`)}`, "Changes to the catalog")}</p>
${isOwn && markup`<p>${link("/account", "Your account")}</p>`}`;
  return patronPage(patron, { title: displayname === "" ? username : displayname, body });
}

function shelfSizes({ username, isOpen }: ShownPatron, sizes: ShelfSizes): Markup {
  if (!isOpen || sizes === undefined) return markup`<p>The reading log of this patron is private.</p>`;
  const items = SHELVES.map(
    ({ id, key, name }) =>
      markup`<li>${link(personPath(username, `/books/${key}`), name)}: ${sizes[id] ?? 0}</li>`,
  );
  return markup`<h2>Reading log</h2><ul>${items}</ul>`;
}

/** A button with which the reader follows a patron, or no longer; without a session it leads to the login. */
function followForm(patron: ShownPatron, isFollowed: boolean | undefined): Markup | undefined {
  const { username, reader } = patron;
  const here = personPath(username);
  if (reader === undefined) {
    const query = new URLSearchParams({ redirect: here, action: followAction(username) });
    return markup`<p>${link(`/account/login?${query}`, `Log in to follow ${username}`)}</p>`;
  }
  if (isFollowed === undefined) return undefined;
  return followButton({ reader, publisher: username, isFollowed, here });
}

/** The button alone. `here` is where its reader is, and stays. */
export function followButton(what: {
  readonly reader: string;
  readonly publisher: string;
  readonly isFollowed: boolean;
  readonly here: string;
}): Markup {
  const { reader, publisher, isFollowed, here } = what;
  return markup`<div class="actions"><form method="post" action="${personPath(reader, "/follows.json")}">
<input type="hidden" name="publisher" value="${publisher}">
<input type="hidden" name="state" value="${isFollowed ? "1" : "0"}">
<input type="hidden" name="redir_url" value="${here}">
<button type="submit">${isFollowed ? "Unfollow" : "Follow"} ${publisher}</button></form></div>`;
}
