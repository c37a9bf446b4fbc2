import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { Reply } from "../../http/reply.ts";
import type { FacetRow } from "../../search/facets.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { definitions, link, moment, pageLinks, table } from "../../ui/parts.ts";
import { bookTitle } from "./book-list.ts";
import { numbered } from "./books-page.ts";
import { followButton, patronPage } from "./person-page.ts";
import type { ShownBook } from "./shown-books.ts";
import { type ShownPatron, personPath } from "./shown-patron.ts";

/** What a patron observed, book by book. */
export function observationsPage(what: {
  readonly patron: ShownPatron;
  readonly books: readonly {
    readonly book: ShownBook;
    readonly observed: Readonly<Record<string, readonly string[]>>;
  }[];
  readonly page: number;
  readonly last: number;
}): Reply {
  const { patron, books, page, last } = what;
  const path = personPath(patron.username, "/books/observations");
  const items = books.map(
    ({ book, observed }) => markup`<li>${bookTitle(book)}
${definitions(Object.entries(observed).map(([label, names]) => [label, names.join(", ")] as const))}</li>`,
  );
  const body = markup`${
    books.length === 0
      ? markup`<p>You have said nothing of any book.</p>`
      : markup`<ul class="books">${items}</ul>`
  }
${pageLinks(page > 1 ? numbered(path, page - 1) : undefined, page < last ? numbered(path, page + 1) : undefined)}`;
  return patronPage(patron, { title: "Your observations", body });
}

/** A book that somebody who is followed put onto a shelf. */
interface News {
  readonly username: string;
  readonly book: ShownBook;
  readonly shelf: number;
  /** Naive UTC. */
  readonly logged: string;
}

/** What those whom a patron follows are reading. */
export function feedPage(patron: ShownPatron, news: readonly News[]): Reply {
  const items = news.map(({ username, book, shelf, logged }) => {
    const { key, name } = SHELVES.find(({ id }) => id === shelf) ?? SHELVES[0];
    return markup`<li><p>${link(personPath(username), username)}: ${link(personPath(username, `/books/${key}`), name)},
${moment(logged)}</p>${bookTitle(book)}</li>`;
  });
  const body =
    news.length === 0
      ? markup`<p>Nothing new. Follow patrons on their pages to see here what they read.</p>`
      : markup`<ul class="books">${items}</ul>`;
  return patronPage(patron, { title: "News of those you follow", body });
}

/** A patron in a list of patrons. */
interface ListedPatron {
  readonly username: string;
  /** Naive UTC. */
  readonly since: string;
  /** Does the reader follow him? Undefined for the reader himself, and without a session. */
  readonly isFollowed: boolean | undefined;
}

/** Whom a patron follows, or who follows him. */
export function circlePage(what: {
  readonly patron: ShownPatron;
  readonly kind: "followers" | "following";
  readonly patrons: readonly ListedPatron[];
  readonly page: number;
  readonly last: number;
}): Reply {
  const { patron, kind, patrons, page, last } = what;
  const { username, reader } = patron;
  const path = personPath(username, `/${kind}`);
  const here = numbered(path, page);
  const title = kind === "followers" ? `Followers of ${username}` : `Whom ${username} follows`;
  const button = ({ username: publisher, isFollowed }: ListedPatron): Markup | undefined =>
    reader === undefined || isFollowed === undefined
      ? undefined
      : followButton({ reader, publisher, isFollowed, here });
  const body = markup`${
    patrons.length === 0
      ? markup`<p>Nobody.</p>`
      : table({
          caption: title,
          columns: ["Patron", "Since"].concat(reader === undefined ? [] : ["Follow"]),
          rows: patrons.map((one) =>
            [link(personPath(one.username), one.username), moment(one.since)].concat(
              reader === undefined ? [] : [button(one) ?? markup`–`],
            ),
          ),
        })
  }
${pageLinks(page > 1 ? numbered(path, page - 1) : undefined, page < last ? numbered(path, page + 1) : undefined)}`;
  return patronPage(patron, { title, body });
}

/** Counts of something over the books of a shelf. */
export interface StatisticsPart {
  readonly title: string;
  readonly rows: readonly FacetRow[];
}

/** What the books of a shelf have in common; for the patron himself. */
export function statisticsPage(what: {
  readonly patron: ShownPatron;
  readonly title: string;
  /** Books that were counted, and those that the search does not know. */
  readonly counted: number;
  readonly unknown: number;
  readonly parts: readonly StatisticsPart[];
}): Reply {
  const { patron, title, counted, unknown, parts } = what;
  const tables = parts
    .filter(({ rows }) => rows.length > 0)
    .map(({ title: caption, rows }) =>
      table({ caption, columns: [caption, "Books"], rows: rows.map(({ label, count }) => [label, count]) }),
    );
  const body = markup`<p>Books counted here: ${counted}.${unknown > 0 && ` Not to be found in the search: ${unknown}.`}</p>
${tables}`;
  return patronPage(patron, { title, body });
}
