import { richText } from "../ui/rich-text.ts";
import { type CatalogRecord, stringsOf, textOf, keyOf } from "../../catalog/record.ts";
import { languageCodesOf, textLanguageOf } from "../../catalog/title-language.ts";
import type { Document } from "../../search/engine.ts";
import type { Reply } from "../http/reply.ts";
import { bookRow, bookRows, editionsLine } from "../ui/book-row.ts";
import { cover, firstPicture, pictureAddress } from "../ui/cover.ts";
import { dropper } from "../ui/dropper.ts";
import { factList } from "../ui/facts.ts";
import { recordPagePath } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { firstNames } from "../ui/metadata.ts";
import { nameOf } from "../ui/names.ts";
import { type Part, partLinks, partText } from "../ui/pager.ts";
import { link, commas, countTime, dots } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { bullets, section, webLink } from "../ui/values.ts";
import { t } from "../ui/words.ts";
import { yearBars } from "../ui/chart.ts";
import type { CountedYears } from "./author-years.ts";
import { rowText, webLinks, identifierList } from "./book-parts.ts";
import { type RecordView, partPlace } from "./record-page.ts";

/** Writes the page for finding authors, with those of most works. */
export function authorsPage(authors: readonly Document[], cacheControl: string): Reply {
  return page({
    title: t("nav.authors"),
    metadata: {
      description: firstNames(
        t("nav.authors"),
        authors.flatMap(({ name }) => textOf(name) ?? []),
      ),
    },
    body: markup`<form class="line" method="get" action="/search/authors">
<label for="q">${t("search.name_words")}</label><input id="q" name="q" type="search" maxlength="1000">
<button>${t("home.authors")}</button></form>
${authors.length === 0 ? markup`<p>${t("search.none_yet")}</p>` : authorTable(authors)}
<p>${link("/books/add", t("nav.add"))} · ${t("author.added_with")}</p>`,
    cacheControl,
  });
}

function authorTable(authors: readonly Document[]): Markup {
  return table({
    caption: t("author.most_works"),
    columns: [t("search.name"), t("author.works_column"), t("author.known_for"), t("nav.subjects")],
    rows: authors.map((author) => [
      link(textOf(author["key"]) ?? "/authors", textOf(author["name"]) ?? t("author.no_name")),
      typeof author["work_count"] === "number" ? author["work_count"] : 0,
      textOf(author["top_work"]),
      commas(stringsOf(author["top_subjects"]).slice(0, 3)),
    ]),
  });
}

const PORTRAIT_WIDTH = 240;

/** Renders an author with a page of their works; `editions` is the number of editions by the work's key. */
export function authorBody({
  view,
  works,
  editions,
  years,
  part,
}: {
  view: RecordView;
  works: readonly CatalogRecord[];
  editions: ReadonlyMap<string, number>;
  years: CountedYears;
  part: Part;
}): Markup {
  const { record, row } = view;
  const name = nameOf(record);
  const id = firstPicture(record["photos"]);
  const portrait =
    id !== undefined &&
    cover({
      of: "a",
      key: row.key,
      title: name,
      id,
      width: PORTRAIT_WIDTH,
      isFirst: true,
      href: pictureAddress("a", id, "L"),
    });
  const life = [record["birth_date"], record["death_date"]].map((date) => textOf(date) ?? "");
  const rows = works.map((work, at) => workRow(work, editions, at < 4));
  return markup`<div class="${portrait === false ? "book two" : "book"}">${portrait !== false && markup`<div class="side">${portrait}</div>`}
<div><h1 dir="auto">${name}</h1>
${life.some((date) => date !== "") && markup`<p class="by">${life.join(" – ")}</p>`}
${richText(textOf(record["bio"]))}
${yearBars(years.counts)}${years.counted !== undefined && years.counts.length > 1 && countTime(years.counted)}
<h2 id="works">${partText(part, "author.works")}</h2>
${rows.length === 0 ? markup`<p>${t(part.total === 0 ? "author.no_works" : "author.no_works_here")}</p>` : bookRows(rows, (part.number - 1) * part.size + 1)}
${partLinks(part, { ...partPlace(view), anchor: "works" })}
<p>${dots([
    link(`/books/add?${new URLSearchParams({ author: row.key })}`, t("author.add")),
    link(
      `/search?${new URLSearchParams({ author_key: row.key.slice("/authors/".length) })}`,
      t("author.search"),
    ),
  ])}</p></div>
<aside aria-label="${t("book.facts")}">${factList([
    [t("author.born"), textOf(record["birth_date"])],
    [t("author.died"), textOf(record["death_date"])],
    [t("author.dates"), textOf(record["date"])],
    [t("author.personal_name"), textOf(record["personal_name"])],
    [t("author.fuller_name"), textOf(record["fuller_name"])],
    [t("author.other_names"), commas(stringsOf(record["alternate_names"]))],
    [t("search.title_field"), textOf(record["title"])],
    [t("search.place"), textOf(record["location"])],
  ])}
${identifierList(record)}
${section(t("book.links"), bullets([...webLinks(record), ...website(record)]))}</aside></div>`;
}

function workRow(work: CatalogRecord, editions: ReadonlyMap<string, number>, isFirst: boolean): Markup {
  const key = keyOf(work) ?? "";
  const book = {
    key,
    href: recordPagePath(key, work),
    title: nameOf(work),
    lang: textLanguageOf(nameOf(work), languageCodesOf(work)),
    cover: firstPicture(work["covers"]),
  };
  const notes = dots([rowText(work["first_publish_date"]), editionsLine(editions.get(key) ?? 0, undefined)]);
  return bookRow(book, { notes: [notes], action: dropper(book), isFirst });
}

function website(record: CatalogRecord): Markup[] {
  return [...stringsOf(record["website"]), ...stringsOf(record["wikipedia"])]
    .filter((address) => address !== "")
    .map((address) => webLink(address));
}
