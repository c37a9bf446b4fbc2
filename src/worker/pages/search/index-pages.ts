import type { Reply } from "../../reply.ts";
import type { ListedName, SubjectIndex } from "../../search-pages/index-lists.ts";
import { form } from "../forms.ts";
import { page } from "../layout.ts";
import { grouped } from "../numbers.ts";
import { type Markup, type Piece, markup } from "../markup.ts";
import { link } from "../parts.ts";
import { jsonLink, nameAddress } from "./parts.ts";

/** The subjects, people, places and times of most works. */
export function subjectIndexPage(index: SubjectIndex, cacheControl: string): Reply {
  return page({
    title: "Subjects",
    body: markup`${searchForm("/search/subjects", "Words of a subject, person, place or time")}
${section("subjects", "Subjects", index.subjects)}
${section("people", "People", index.people)}
${section("places", "Places", index.places)}
${section("times", "Times", index.times)}
${jsonLink("/subjects.json")}`,
    cacheControl,
  });
}

/** The publishers of most works. */
export function publisherIndexPage(publishers: readonly ListedName[], cacheControl: string): Reply {
  return page({
    title: "Publishers",
    body: markup`${searchForm("/search/publishers", "A part of a publisher’s name")}
${section("publishers", "Publishers of most works", publishers)}
${jsonLink("/publishers.json")}`,
    cacheControl,
  });
}

function searchForm(action: string, label: string): Markup {
  return form({ action, method: "get", fields: [{ name: "q", label, maxlength: 1000 }], submit: "Search" });
}

function section(id: string, title: string, names: readonly ListedName[]): Markup {
  return markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${names.length === 0 ? markup`<p>There are none yet.</p>` : nameList(names)}</section>`;
}

/** Names that lead to their pages, with how many works have them. */
export function nameList(names: readonly ListedName[]): Piece {
  return markup`<ul>${names.map(
    ({ name, key, count }) => markup`<li>${link(nameAddress(key), name)} (${grouped(count)})</li>`,
  )}</ul>`;
}
