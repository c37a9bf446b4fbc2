import { textOf } from "../../../catalog/record.ts";
import { PLAIN_WINDOW_MAX } from "../../../db/search/plain/search.ts";
import type { Document } from "../../../search/engine.ts";
import type { Reply } from "../../reply.ts";
import { SEARCH_PAGE_NAMES } from "../../search-pages/limits.ts";
import { type Parameters, numberedAddress, pageAddress } from "../../search-pages/page-address.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { link, table } from "../parts.ts";
import { shortText } from "../short-text.ts";
import type { NamesView } from "./authors-page.ts";
import { type PagePlace, counted, jsonLink, nameAddress, placeLinks, searchKinds } from "./parts.ts";

const PATH = "/search/subjects";
const TYPES = new Map([
  ["subject", "Subject"],
  ["person", "Person"],
  ["place", "Place"],
  ["time", "Time"],
]);

/** Subjects by their names, those with most works first. */
export function subjectsPage({ q, page: number, hits, cacheControl }: Omit<NamesView, "sort">): Reply {
  const { numFound, documents } = hits;
  const parameters: Parameters = [["q", q]];
  const place: PagePlace = {
    page: number,
    numFound,
    size: SEARCH_PAGE_NAMES,
    window: PLAIN_WINDOW_MAX,
    addressOf: (to) => numberedAddress(PATH, parameters, to),
  };
  return page({
    title: q === "" ? "Search subjects" : `Subjects: ${q}`,
    body: markup`${searchKinds(PATH, q)}
<form method="get" action="${PATH}"><label for="q">Words of a subject, person, place or time</label>
<input id="q" name="q" type="search" maxlength="1000" value="${q}"><p><button type="submit">Search</button></p></form>
${
  q !== "" &&
  markup`<p role="status">${counted(numFound, "subject", "subjects")} found.</p>
${documents.length > 0 && subjectTable(documents)}
${numFound > 0 && placeLinks(place)}
${jsonLink(pageAddress(`${PATH}.json`, parameters))}`
}`,
    cacheControl,
    headers: { Vary: "Accept, Cookie" },
  });
}

function subjectTable(subjects: readonly Document[]): Markup {
  return table({
    caption: "Subjects, those with most works first",
    columns: ["Name", "Kind", "Works"],
    rows: subjects.map((subject) => [
      link(nameAddress(textOf(subject["key"]) ?? ""), shortText(textOf(subject["name"]) ?? "")),
      TYPES.get(textOf(subject["subject_type"]) ?? "subject"),
      typeof subject["work_count"] === "number" ? subject["work_count"] : 0,
    ]),
  });
}
