import { stringsOf, textOf } from "../../../catalog/record.ts";
import type { Document } from "../../../search/engine.ts";
import type { FoundWork } from "../../../search/present/works.ts";
import { type Markup, type Piece, markup } from "../markup.ts";
import { shortText } from "../short-text.ts";
import { counted, coverImage, nameLinks } from "./parts.ts";

const ACCESS = new Map([
  ["public", "Free to read"],
  ["borrowable", "Can be borrowed"],
  ["printdisabled", "For readers with print disabilities"],
]);

/** A page of works that were found, numbered on from `first`. */
export interface ResultList {
  readonly works: readonly FoundWork[];
  readonly first: number;
  /** Names of languages by code. */
  readonly languages: ReadonlyMap<string, string>;
}

/** Works with their authors, and of each the edition that fits best. */
export function resultList({ works, first, languages }: ResultList): Markup {
  return markup`<ol class="books" start="${first}">${works.map((work) => resultItem(work, languages))}</ol>`;
}

function resultItem({ document, chosen }: FoundWork, languages: ReadonlyMap<string, string>): Markup {
  const title = titleOf(document);
  return markup`<li>${coverImage(document["cover_i"], title)}
<p><a href="${addressOfWork(document)}"><cite>${title}</cite></a>${byAuthors(document)}</p>
<p class="hint">${notesOf(document).join(" · ")}</p>
${seriesOf(document)}${chosen?.edition !== undefined && editionOf(chosen.edition, chosen.numFound, languages)}</li>`;
}

/** A work's own address; what stands in the index for an edition without a work leads to that edition. */
function addressOfWork(document: Document): string {
  const key = textOf(document["key"]) ?? "";
  return key.endsWith("M") ? key.replace("/works/", "/books/") : key;
}

/** Title and subtitle. */
export function titleOf(document: Document): string {
  const [title = "", subtitle] = [textOf(document["title"]), textOf(document["subtitle"])];
  const shown = title === "" || title === "__None__" ? "Untitled" : title;
  return shortText(subtitle === undefined || subtitle === "" ? shown : `${shown}: ${subtitle}`);
}

/** Links to the authors of a work; of very many the first ones. */
function byAuthors(document: Document): Piece {
  const names = stringsOf(document["author_name"]);
  return nameLinks(
    stringsOf(document["author_key"]).map((olid, at) => ({
      key: `/authors/${olid}`,
      name: names[at] ?? olid,
    })),
  );
}

function notesOf(document: Document): string[] {
  const { first_publish_year: year, edition_count: editions, ebook_access: access } = document;
  const notes = [
    typeof year === "number" && `First published ${year}`,
    typeof editions === "number" && counted(editions, "edition", "editions"),
    ACCESS.get(textOf(access) ?? ""),
  ];
  return notes.filter((note) => typeof note === "string");
}

function seriesOf(document: Document): Piece {
  const names = stringsOf(document["series_name"]);
  const positions = stringsOf(document["series_position"]);
  const series = stringsOf(document["series_key"]).map((olid, at) => {
    const name = markup`<a href="/series/${olid}">${shortText(names[at] ?? olid)}</a>`;
    const position = positions[at] ?? "";
    return position === "" ? name : markup`${name}, ${position}`;
  });
  if (series.length === 0) return undefined;
  return markup`<p>Series: ${series.map((one, at) => [at > 0 && "; ", one])}</p>`;
}

function editionOf(edition: Document, fitting: number, languages: ReadonlyMap<string, string>): Markup {
  const notes = [
    ...stringsOf(edition["language"]).map((code) => languages.get(code) ?? code),
    ...stringsOf(edition["publisher"]).slice(0, 1),
    ...stringsOf(edition["publish_date"]).slice(0, 1),
  ].map(shortText);
  const others = fitting > 1 ? `, one of ${fitting} that fit` : "";
  return markup`<p>Edition: <a href="${textOf(edition["key"]) ?? ""}">${titleOf(edition)}</a>${
    notes.length > 0 && ` (${notes.join(", ")})`
  }${others}</p>`;
}
