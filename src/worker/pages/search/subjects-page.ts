import { textOf } from "../../../catalog/record.ts";
import type { Document } from "../../../search/engine.ts";
import type { Reply } from "../../reply.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { link, table } from "../parts.ts";
import { shortText } from "../short-text.ts";
import type { NamesView } from "./authors-page.ts";
import { namesLinks } from "./names-links.ts";
import { counted, nameAddress, searchKinds } from "./parts.ts";

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
  return page({
    title: q === "" ? "Search subjects" : `Subjects: ${q}`,
    body: markup`${searchKinds(PATH, q)}
<form method="get" action="${PATH}"><label for="q">Words of a subject, person, place or time</label>
<input id="q" name="q" type="search" maxlength="1000" value="${q}"><p><button type="submit">Search</button></p></form>
${
  q !== "" &&
  markup`<p role="status">${counted(numFound, "subject", "subjects")} found.</p>
${documents.length > 0 && subjectTable(documents)}
${namesLinks({ path: PATH, parameters: [["q", q]], page: number, numFound })}`
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
