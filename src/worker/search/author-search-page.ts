import { stringsOf, textOf } from "../../catalog/record.ts";
import type { Document } from "../../search/engine.ts";
import type { Reply } from "../http/reply.ts";
import { select } from "../ui/form.ts";
import { shortText } from "../ui/markup.ts";
import { commas, link } from "../ui/parts.ts";
import { type Words, t } from "../ui/words.ts";
import { renderNamesLinks, renderNamesPage } from "./result-parts.ts";

const PATH = "/search/authors";
const SORTS: readonly (readonly [string, Words])[] = [
  ["", "sort.best"],
  ["work_count desc", "sort.works"],
  ["name", "sort.name"],
  ["birth_date asc", "sort.born_old"],
  ["birth_date desc", "sort.born_new"],
];

function lifeOf(author: Document): string {
  const [birth = "", death = ""] = [textOf(author["birth_date"]), textOf(author["death_date"])];
  if (birth === "" && death === "") return textOf(author["date"]) ?? "";
  return `${birth} – ${death}`.trim();
}

interface AuthorSearch {
  readonly q: string;
  readonly sort: string;
  readonly page: number;
  readonly numFound: number;
  readonly documents: readonly Document[];
  readonly cacheControl: string;
}

export function authorSearchPage(search: AuthorSearch): Reply {
  const { q, sort, page, numFound, documents, cacheControl } = search;
  return renderNamesPage({
    path: PATH,
    kind: "nav.authors",
    q,
    label: "search.name_words",
    more: select({
      name: "sort",
      label: t("search.order"),
      options: SORTS.map(([value, words]) => [value, t(words)] as const),
      chosen: sort,
    }),
    summary: t("home.authors_count", { count: numFound }),
    results: {
      caption: t("nav.authors"),
      columns: [
        t("search.name"),
        t("author.lived"),
        t("author.works_column"),
        t("author.known_for"),
        t("nav.subjects"),
      ],
      rows: documents.map((author) => [
        link(textOf(author["key"]) ?? "", shortText(textOf(author["name"]) ?? "")),
        lifeOf(author),
        typeof author["work_count"] === "number" ? author["work_count"] : 0,
        shortText(textOf(author["top_work"]) ?? ""),
        commas(stringsOf(author["top_subjects"]).slice(0, 3).map(shortText)),
      ]),
    },
    links: renderNamesLinks(
      PATH,
      [
        ["q", q],
        ["sort", sort],
      ],
      { page, numFound },
    ),
    cacheControl,
  });
}
