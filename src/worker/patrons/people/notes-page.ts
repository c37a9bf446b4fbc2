import type { Reply } from "../../http/reply.ts";
import { bookRow } from "../../ui/book-row.ts";
import { factList } from "../../ui/facts.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { mood } from "../../ui/moods.ts";
import { link } from "../../ui/parts.ts";
import { t } from "../../ui/words.ts";
import { type BookView, bookItems, numberedLinks, ownBookPath } from "./book-list.ts";
import type { Note } from "./own-book-page.ts";
import { type PatronView, patronPage, personPath } from "./patron-page.ts";

type Part = { readonly page: number; readonly last: number };

export function notesPage(
  patron: PatronView,
  notes: readonly (Note & { book: BookView })[],
  part: Part,
): Reply {
  const { username } = patron;
  const items = notes.map(({ book, edition, text }) =>
    bookRow(book, {
      notes: [
        edition !== null && t("notes.edition", { edition: link(edition, edition.replace("/books/", "")) }),
        markup`<span class="lines" dir="auto">${text}</span>`,
      ],
      action: changeLink(ownBookPath(username, book.key), book),
    }),
  );
  const body = markup`${bookItems(items, t("notes.none"))}
${numberedLinks(personPath(username, "/books/notes"), part)}`;
  return patronPage(patron, { tab: "notes", title: t("notes.title"), body });
}

/** `names`: values of the observations by the label of their type. */
export function observationsPage(
  patron: PatronView,
  observed: readonly { book: BookView; names: Readonly<Record<string, readonly string[]>> }[],
  part: Part,
): Reply {
  const { username } = patron;
  const items = observed.map(({ book, names }) => {
    const facts = Object.entries(names).map(
      ([label, values]) =>
        [mood(label), values.map((name, at) => [at > 0 && t("list.comma"), mood(name)])] as const,
    );
    return bookRow(book, {
      more: factList(facts),
      action: changeLink(`${ownBookPath(username, book.key)}#observations`, book),
    });
  });
  const body = markup`${bookItems(items, t("observations.none"))}
${numberedLinks(personPath(username, "/books/observations"), part)}`;
  return patronPage(patron, { tab: "observations", title: t("observations.title"), body });
}

function changeLink(href: string, { title }: BookView): Markup {
  return markup`<a class="button" href="${href}">${t("notes.change")}<span class="unseen"> ${title}</span></a>`;
}
