import { type CatalogRecord, keyOf, stringsOf, textOf } from "../../catalog/record.ts";
import { bookRow, bookRows, editionsLine } from "../ui/book-row.ts";
import { cover, firstPicture, pictureAddress } from "../ui/cover.ts";
import { dropper } from "../ui/dropper.ts";
import { factList } from "../ui/facts.ts";
import { recordPage } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { type Part, partLinks, partText } from "../ui/pager.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { bullets, prose, section, webLink } from "../ui/values.ts";
import { say } from "../ui/words.ts";
import { countYears, yearBars } from "../ui/years.ts";
import { identifierList } from "./record-lists.ts";
import { type RecordView, partPlace } from "./record-page.ts";
import { rowText, webLinks } from "./book-parts.ts";

const PORTRAIT_WIDTH = 240;

/** Renders an author with a page of their works; `editions` is the number of editions by the work's key. */
export function authorBody({
  view,
  works,
  editions,
  part,
}: {
  view: RecordView;
  works: readonly CatalogRecord[];
  editions: ReadonlyMap<string, number>;
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
${prose(textOf(record["bio"]))}
${works.length === part.total && yearBars(countYears(works.map((work) => textOf(work["first_publish_date"]))))}
<h2 id="works">${partText(part, "author.works")}</h2>
${rows.length === 0 ? markup`<p>${say(part.total === 0 ? "author.no_works" : "author.no_works_here")}</p>` : bookRows(rows, (part.number - 1) * part.size + 1)}
${partLinks(part, { ...partPlace(view), anchor: "works" })}
<p>${dots([
    link(`/books/add?${new URLSearchParams({ author: row.key })}`, say("author.add")),
    link(
      `/search?${new URLSearchParams({ author_key: row.key.slice("/authors/".length) })}`,
      say("author.search"),
    ),
  ])}</p></div>
<aside aria-label="${say("book.facts")}">${factList([
    [say("author.born"), textOf(record["birth_date"])],
    [say("author.died"), textOf(record["death_date"])],
    [say("author.dates"), textOf(record["date"])],
    [say("author.personal_name"), textOf(record["personal_name"])],
    [say("author.fuller_name"), textOf(record["fuller_name"])],
    [say("author.other_names"), commas(stringsOf(record["alternate_names"]))],
    [say("search.title_field"), textOf(record["title"])],
    [say("search.place"), textOf(record["location"])],
  ])}
${identifierList(record)}
${section(say("book.links"), bullets([...webLinks(record), ...website(record)]))}</aside></div>`;
}

function workRow(work: CatalogRecord, editions: ReadonlyMap<string, number>, isFirst: boolean): Markup {
  const key = keyOf(work) ?? "";
  const book = { key, href: recordPage(key, work), title: nameOf(work), cover: firstPicture(work["covers"]) };
  const notes = dots([rowText(work["first_publish_date"]), editionsLine(editions.get(key) ?? 0, undefined)]);
  return bookRow(book, { notes: [notes], action: dropper(book), isFirst });
}

function website(record: CatalogRecord): Markup[] {
  return [...stringsOf(record["website"]), ...stringsOf(record["wikipedia"])]
    .filter((address) => address !== "")
    .map((address) => webLink(address));
}
