import { stringsOf, textOf } from "../../catalog/record.ts";
import { textLanguageOf } from "../../catalog/title-language.ts";
import type { Document } from "../../search/engine.ts";
import { workAddressOf } from "../../search/present/works.ts";
import type { ShownBook } from "../ui/book-row.ts";
import { pictureId } from "../ui/cover.ts";
import { shortText } from "../ui/markup.ts";

export function toShownBook(document: Document): ShownBook {
  const names = stringsOf(document["author_name"]);
  const key = textOf(document["key"]) ?? "";
  const title = shownTitleOf(document);
  return {
    key,
    href: workAddressOf(key),
    title,
    lang: textLanguageOf(title, stringsOf(document["language"])),
    authors: stringsOf(document["author_key"]).map((olid, at) => ({
      href: `/authors/${olid}`,
      name: names[at] ?? olid,
    })),
    cover: pictureId(document["cover_i"]),
  };
}

export function shownTitleOf(document: Document): string {
  const [title = "", subtitle] = [textOf(document["title"]), textOf(document["subtitle"])];
  const main = title === "" || title === "__None__" ? "Untitled" : title;
  return shortText(subtitle === undefined || subtitle === "" ? main : `${main}: ${subtitle}`);
}
