import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { ratingsAverage, ratingsCount } from "../../search/documents/popularity.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import { dropper } from "../ui/dropper.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { dots, link } from "../ui/parts.ts";
import { histogram, ratingLine, starForm } from "../ui/stars.ts";
import { type Words, say } from "../ui/words.ts";
import type { PageReader } from "./page-reader.ts";

/** Labels of reader counts, by shelf. */
const READERS: Readonly<Record<(typeof SHELVES)[number]["id"], Words>> = {
  1: "readers.want",
  2: "readers.reading",
  3: "readers.read",
  4: "readers.stopped",
};

/** Renders the ratings of a work, and its number of readers on each shelf. */
export function readersOf(counts: WorkCounts): Markup {
  const ratings = { average: ratingsAverage(counts.ratings), counts: counts.ratings };
  const shelves = SHELVES.filter(({ member }) => counts[member] > 0).map(({ id, member }) =>
    say(READERS[id], { count: counts[member] }),
  );
  const line = markup`<p>${dots([ratingLine(ratings), ...shelves])}</p>`;
  if (ratingsCount(counts.ratings) === 0) return line;
  return markup`${line}<details><summary>${say("stars.histogram")}</summary>${histogram(ratings)}</details>`;
}

/** Renders the patron's actions for a work: shelf, stars, notes and lists. Without a session they lead to the login. */
export function ownActions(key: string, title: string, { username, own }: PageReader): Markup {
  const button = dropper({ key, title, shelf: own?.shelf ?? null });
  if (username === undefined) return button;
  const person = `/people/${encodeURIComponent(username)}`;
  return markup`${button}${starForm({ key, title, stars: own?.stars ?? null })}
<a class="button" href="${person}/lists/add?${String(new URLSearchParams({ seeds: key }))}">${say("dropper.list")}</a>
${link(`${person}/books/notes?work=${key.slice("/works/".length)}`, say("readers.notes"))}`;
}
