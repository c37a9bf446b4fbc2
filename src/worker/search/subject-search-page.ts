import { textOf } from "../../catalog/record.ts";
import type { Document } from "../../search/engine.ts";
import type { Reply } from "../http/reply.ts";
import { shortText } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { type Words, t } from "../ui/words.ts";
import { nameAddressOf, renderNamesLinks, renderNamesPage } from "./result-parts.ts";

const PATH = "/search/subjects";
const TYPES: ReadonlyMap<string, Words> = new Map([
  ["subject", "search.subject"],
  ["person", "search.person"],
  ["place", "search.place"],
  ["time", "search.time"],
]);

interface SubjectSearch {
  readonly q: string;
  readonly page: number;
  readonly numFound: number;
  readonly documents: readonly Document[];
  readonly cacheControl: string;
}

export function subjectSearchPage({ q, page, numFound, documents, cacheControl }: SubjectSearch): Reply {
  return renderNamesPage({
    path: PATH,
    kind: "nav.subjects",
    q,
    label: "search.subject_words",
    summary: t("search.subjects", { count: numFound }),
    results: {
      caption: t("nav.subjects"),
      columns: [t("search.name"), t("search.kind"), t("author.works_column")],
      rows: documents.map((subject) => [
        link(nameAddressOf(textOf(subject["key"]) ?? ""), shortText(textOf(subject["name"]) ?? "")),
        t(TYPES.get(textOf(subject["subject_type"]) ?? "") ?? "search.subject"),
        typeof subject["work_count"] === "number" ? subject["work_count"] : 0,
      ]),
    },
    links: renderNamesLinks(PATH, [["q", q]], { page, numFound }),
    cacheControl,
  });
}

interface PublisherSearch {
  readonly q: string;
  readonly publishers: readonly { readonly name: string; readonly key: string; readonly count: number }[];
  /** Number of publishers that a search finds at most. */
  readonly most: number;
  readonly cacheControl: string;
}

export function publisherSearchPage({ q, publishers, most, cacheControl }: PublisherSearch): Reply {
  return renderNamesPage({
    path: "/search/publishers",
    q,
    kind: "nav.publishers",
    label: "search.publisher_words",
    summary: publishers.length === 0 ? t("search.no_publisher") : t("search.most_works", { count: most }),
    results: {
      caption: t("nav.publishers"),
      columns: [t("search.name"), t("author.works_column")],
      rows: publishers.map(({ name, key, count }) => [link(nameAddressOf(key), name), count]),
    },
    cacheControl,
  });
}
