import type { Reply } from "../http/reply.ts";
import { addressOf } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { renderNamesPage } from "./result-parts.ts";

interface LanguageSearch {
  readonly q: string;
  /** Number of works in the language. */
  readonly numFound: number;
  readonly languages: readonly { readonly name: string; readonly key: string; readonly count: number }[];
  readonly cacheControl: string;
}

export function languageSearchPage({ q, numFound, languages, cacheControl }: LanguageSearch): Reply {
  return renderNamesPage({
    path: "/search/languages",
    q,
    kind: "nav.languages",
    label: "search.language_words",
    summary: t("search.in_language", { count: numFound }),
    results: {
      caption: t("search.languages_of_works"),
      columns: [t("search.name"), t("author.works_column")],
      rows: languages.map(({ name, key, count }) => [link(addressOf(key), name), count]),
    },
    cacheControl,
  });
}
