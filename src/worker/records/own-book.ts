import { ratingsAverage, ratingsCount } from "../../search/documents/popularity.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import { ratingForm, shelfForm } from "../ui/shelf-forms.ts";
import { type Markup, grouped, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import type { PageReader } from "./page-reader.ts";

/** What readers made of a work, and what the patron who looks has of it; forms lead back to `here`. */
export function readersOf(
  { key, counts }: { readonly key: string; readonly counts: WorkCounts },
  { reader, here }: { readonly reader: PageReader; readonly here: string },
): Markup {
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
  const login = `/account/login?${new URLSearchParams({ redirect: here })}`;
  return markup`<h2>Readers</h2>
<p>${rated}${shelved !== "" && `; of all patrons ${shelved}`}.</p>
${reader.username === undefined ? markup`<p>${link(login, "Log in to keep this book on a shelf or rate it")}</p>` : ownForms(key, reader, here)}`;
}

function ownForms(key: string, { username = "", own }: PageReader, here: string): Markup {
  const lists = `/people/${encodeURIComponent(username)}/lists/add?${new URLSearchParams({ seeds: key })}`;
  return markup`<div class="actions">
${shelfForm({ key, here }, { id: "own-shelf", label: "Your shelf", shelf: own?.shelf ?? null })}
${ratingForm({ key, here }, { id: "own-rating", label: "Your rating", stars: own?.stars ?? null })}
${link(`/people/${encodeURIComponent(username)}/books/notes?work=${key.slice("/works/".length)}`, "Note and dates")}
${link(lists, "Begin a list with it")}</div>`;
}
