import { type ShelfId, SHELVES } from "../../catalog/patrons/shelves.ts";
import { select } from "./form.ts";
import { type Markup, type Piece, markup } from "./markup.ts";

/** A choice that a patron has about a work: what it is called on the page, and what he has chosen. */
interface OwnChoice {
  /** Of the input, for its label. */
  readonly id: string;
  readonly label: Piece;
}

/** Which work a form is about, and the page that it brings its sender back to. */
interface OwnPlace {
  readonly key: string;
  readonly here: string;
}

type Option = readonly [value: string, text: string];

const RATINGS = [["", "None"], ...["1", "2", "3", "4", "5"].map((n): Option => [n, n])] as const;

/** A form that brings its sender back to where he was. */
export function postForm(action: string, here: string, content: Piece): Markup {
  return markup`<form method="post" action="${action}">
<input type="hidden" name="redir_url" value="${here}">${content}</form>`;
}

/** The form by which a patron puts a work onto a shelf, moves it, or takes it off. */
export function shelfForm(
  { key, here }: OwnPlace,
  own: OwnChoice & { readonly shelf: ShelfId | null },
): Markup {
  const { id, label, shelf } = own;
  const options = [
    ...SHELVES.map(({ id: number, name }): Option => [String(number), name]),
    ["-1", shelf === null ? "None" : "Remove"] as const,
  ];
  return postForm(`${key}/bookshelves.json`, here, [
    markup`<input type="hidden" name="dont_remove" value="true">`,
    select({ id, name: "bookshelf_id", label, options, chosen: String(shelf ?? -1) }),
    markup`<button type="submit">Move</button>`,
  ]);
}

/** The form by which a patron rates a work, or takes the rating back. */
export function ratingForm(
  { key, here }: OwnPlace,
  own: OwnChoice & { readonly stars: number | null },
): Markup {
  const { id, label, stars } = own;
  return postForm(`${key}/ratings.json`, here, [
    select({ id, name: "rating", label, options: RATINGS, chosen: String(stars ?? "") }),
    markup`<button type="submit">Rate</button>`,
  ]);
}
