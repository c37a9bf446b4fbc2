import { stringsOf, textOf } from "../../../catalog/record.ts";
import type { Document, Hits } from "../../../search/engine.ts";
import type { Reply } from "../../reply.ts";
import type { Parameters } from "../../search-pages/page-address.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { link, table } from "../parts.ts";
import { shortText } from "../short-text.ts";
import { namesLinks } from "./names-links.ts";
import { choice, counted, searchKinds } from "./parts.ts";

const PATH = "/search/authors";
const SORTS: readonly (readonly [string, string])[] = [
  ["", "Best match"],
  ["work_count desc", "Most works"],
  ["name", "Name"],
  ["birth_date asc", "Born, oldest first"],
  ["birth_date desc", "Born, newest first"],
];

/** What the page of a search for names shows. */
export interface NamesView {
  readonly q: string;
  readonly sort: string;
  readonly page: number;
  readonly hits: Hits;
  readonly cacheControl: string;
}

/** Authors by their names. */
export function authorsPage({ q, sort, page: number, hits, cacheControl }: NamesView): Reply {
  const { numFound, documents } = hits;
  const parameters: Parameters = [
    ["q", q],
    ["sort", sort],
  ];
  return page({
    title: q === "" ? "Search authors" : `Authors: ${q}`,
    body: markup`${searchKinds(PATH, q)}
<form method="get" action="${PATH}"><label for="q">Words of a name</label>
<input id="q" name="q" type="search" maxlength="1000" value="${q}">
${choice({ name: "sort", label: "Order", options: SORTS, chosen: sort })}
<p><button type="submit">Search</button></p></form>
${
  q !== "" &&
  markup`<p role="status">${counted(numFound, "author", "authors")} found.</p>
${documents.length > 0 && authorTable(documents)}
${namesLinks({ path: PATH, parameters, page: number, numFound })}`
}`,
    cacheControl,
    headers: { Vary: "Accept, Cookie" },
  });
}

function authorTable(authors: readonly Document[]): Markup {
  return table({
    caption: "Authors",
    columns: ["Name", "Lived", "Works", "Best known for", "Subjects"],
    rows: authors.map((author) => [
      link(textOf(author["key"]) ?? "", shortText(textOf(author["name"]) ?? "")),
      lifeOf(author),
      typeof author["work_count"] === "number" ? author["work_count"] : 0,
      shortText(textOf(author["top_work"]) ?? ""),
      stringsOf(author["top_subjects"]).slice(0, 3).map(shortText).join(", "),
    ]),
  });
}

function lifeOf(author: Document): string {
  const [birth = "", death = ""] = [textOf(author["birth_date"]), textOf(author["death_date"])];
  if (birth === "" && death === "") return textOf(author["date"]) ?? "";
  return `${birth} – ${death}`.trim();
}
