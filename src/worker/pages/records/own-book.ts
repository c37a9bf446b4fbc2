import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { WorkCounts } from "../../../search/documents/types.ts";
import { ratingsAverage, ratingsCount } from "../../../search/documents/ratings.ts";
import type { PageReader } from "../../browsing/page-reader.ts";
import { type Markup, type Piece, markup } from "../markup.ts";
import { grouped } from "../numbers.ts";
import { link } from "../parts.ts";

/** The work that a page is about, and where its forms lead back to. */
export interface RatedWork {
  readonly key: string;
  readonly counts: WorkCounts;
  readonly reader: PageReader;
  readonly here: string;
}

const STARS = ["1", "2", "3", "4", "5"] as const;

/** What readers made of a work, and what the patron who looks has of it. */
export function readersOf({ key, counts, reader, here }: RatedWork): Markup {
  const given = ratingsCount(counts.ratings);
  const rated =
    given === 0
      ? "Not rated yet"
      : `${ratingsAverage(counts.ratings).toFixed(1)} of 5 stars by ${given === 1 ? "1 reader" : `${grouped(given)} readers`}`;
  const kept = [
    { count: counts.wantToRead, one: "wants to read it", many: "want to read it" },
    { count: counts.currentlyReading, one: "is reading it", many: "are reading it" },
    { count: counts.alreadyRead, one: "has read it", many: "have read it" },
  ].filter(({ count }) => count > 0);
  const shelved = kept
    .map(({ count, one, many }) => `${grouped(count)} ${count === 1 ? one : many}`)
    .join(", ");
  return markup`<h2>Readers</h2>
<p>${rated}${shelved !== "" && `; of all patrons ${shelved}`}.</p>
${reader.username === undefined ? loginLink(here) : ownForms(key, reader, here)}`;
}

function loginLink(here: string): Markup {
  return markup`<p>${link(`/account/login?${new URLSearchParams({ redirect: here })}`, "Log in to keep this book on a shelf or rate it")}</p>`;
}

function ownForms(key: string, { username = "", own }: PageReader, here: string): Markup {
  const shelf = String(own?.shelf ?? -1);
  const stars = String(own?.stars ?? "");
  const shelves = SHELVES.map(({ id, name }): Option => [String(id), name]);
  const lists = `/people/${encodeURIComponent(username)}/lists/add?${new URLSearchParams({ seeds: key })}`;
  return markup`<div class="actions">
${form(`${key}/bookshelves.json`, here, [
  markup`<input type="hidden" name="dont_remove" value="true">`,
  choice({
    id: "own-shelf",
    name: "bookshelf_id",
    label: "Your shelf",
    options: [["-1", "None"], ...shelves],
    chosen: shelf,
  }),
  markup`<button type="submit">Move</button>`,
])}
${form(`${key}/ratings.json`, here, [
  choice({
    id: "own-rating",
    name: "rating",
    label: "Your rating",
    options: [["", "None"], ...STARS.map((n): Option => [n, n])],
    chosen: stars,
  }),
  markup`<button type="submit">Rate</button>`,
])}
${link(`/people/${encodeURIComponent(username)}/books/notes?work=${key.slice("/works/".length)}`, "Note and dates")}
${link(lists, "Begin a list with it")}</div>`;
}

function form(action: string, here: string, content: Piece): Markup {
  return markup`<form method="post" action="${action}"><input type="hidden" name="redir_url" value="${here}">${content}</form>`;
}

type Option = readonly [value: string, text: string];

function choice(what: {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: string;
}): Markup {
  const { id, name, label, options, chosen } = what;
  const items = options.map(
    ([value, text]) =>
      markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`,
  );
  return markup`<label for="${id}">${label}</label><select id="${id}" name="${name}">${items}</select>`;
}
