import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { firstNames } from "../ui/metadata.ts";
import { countTime, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { number, t } from "../ui/words.ts";

export const LANGUAGE_SORTS = ["count", "name", "ebook_edition_count"] as const;
export type LanguageSort = (typeof LANGUAGE_SORTS)[number];

const SORT_NAMES = {
  count: "author.works_column",
  name: "search.name",
  ebook_edition_count: "language.ebooks",
} as const;

interface LanguagesShown {
  readonly languages: readonly {
    readonly name: string;
    readonly key: string;
    readonly marc_code: string;
    readonly count: number;
    readonly ebook_edition_count: number;
  }[];
  /** Time of counting. */
  readonly counted: string;
  readonly sort: LanguageSort;
}

export function showLanguages({ languages, counted, sort }: LanguagesShown, cacheControl: string): Reply {
  const orders = LANGUAGE_SORTS.map((name) => ({
    href: `/languages?sort=${name}`,
    text: t(SORT_NAMES[name]),
    isCurrent: name === sort,
  }));
  const rows = languages.map(({ name, key, marc_code: code, count, ebook_edition_count: ebooks }) => [
    link(addressOf(key), name),
    code,
    link(
      `/search?${new URLSearchParams({ language: code })}`,
      markup`${number(count)}<span class="unseen"> ${name}</span>`,
    ),
    number(ebooks),
  ]);
  const columns = ["search.name", "language.code", "author.works_column", "language.ebooks"] as const;
  const list =
    rows.length === 0
      ? markup`<p>${t("search.none_yet")}</p>`
      : table({ caption: t("nav.languages"), columns: columns.map((name) => t(name)), rows });
  return page({
    title: t("nav.languages"),
    metadata: {
      description: firstNames(
        t("nav.languages"),
        languages.map(({ name }) => name),
      ),
    },
    body: markup`${tabs(t("search.order"), orders)}
${list}
${countTime(counted)}
<p>${link("/search/languages", t("language.search"))}</p>`,
    cacheControl,
  });
}
