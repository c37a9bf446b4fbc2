import type { Reply } from "../http/reply.ts";
import { form, select } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { renderSearchKinds } from "./result-parts.ts";
import { t } from "../ui/words.ts";

const ADVANCED_SECONDS = 3600;

const FIELDS = [
  ["title", "search.title_field"],
  ["author", "search.author"],
  ["isbn", "search.isbn"],
  ["subject", "search.subject"],
  ["place", "search.about_place"],
  ["person", "search.about_person"],
  ["time", "search.about_time"],
  ["publisher", "search.publisher"],
  ["first_publish_year", "search.year"],
  ["language", "search.language_code"],
  ["lccn", "search.lccn"],
  ["oclc", "search.oclc"],
] as const;

export function advancedSearchPage(): Reply {
  return page({
    title: t("search.advanced"),
    body: markup`${renderSearchKinds("/advancedsearch", "")}
<p>${t("search.advanced_hint")}</p>
${form({
  action: "/search",
  method: "get",
  fields: [
    { name: "q", label: t("search.anywhere"), maxlength: 1000 },
    ...FIELDS.map(([name, label]) => ({ name, label: t(label), maxlength: 1000 })),
  ],
  submit: t("layout.search"),
  more: select({
    name: "has_fulltext",
    label: t("search.reading"),
    chosen: "",
    options: [
      ["", t("search.all_books")],
      ["true", t("search.readable")],
      ["false", t("search.unreadable")],
    ],
  }),
})}`,
    cacheControl: `public, max-age=${ADVANCED_SECONDS}`,
  });
}
