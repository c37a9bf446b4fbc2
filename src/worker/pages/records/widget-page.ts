import { type CatalogRecord, keyOf } from "../../../catalog/record.ts";
import type { availabilityWord } from "../../../search/present/availability.ts";
import { recordPage } from "../../forms/addresses.ts";
import type { Reply } from "../../reply.ts";
import { type Markup, markup } from "../markup.ts";
import { commas } from "../parts.ts";
import { smallPage } from "../small-page.ts";
import { nameOf } from "./names.ts";
import { firstPicture, picture } from "./pictures.ts";

/** What the small page of a book shows. */
export interface WidgetView {
  /** The work or edition. */
  readonly record: CatalogRecord;
  readonly authors: readonly CatalogRecord[];
  /** The edition that can be read; undefined when there is none. */
  readonly edition: CatalogRecord | undefined;
  /** How it can be read; undefined when nothing is known of it. */
  readonly word: ReturnType<typeof availabilityWord> | undefined;
}

/** A book as a small page, which others show in theirs (lookup.md 17.1). */
export function widgetPage(view: WidgetView): Reply {
  const { record, authors, edition } = view;
  const title = nameOf(record);
  const cover = firstPicture(record["covers"]) ?? firstPicture(edition?.["covers"]);
  const names = authors.map((author) => topLink(recordPage(keyOf(author) ?? "", author), nameOf(author)));
  const reply = smallPage({
    title,
    body: markup`<h1>${topLink(recordPage(keyOf(record) ?? "", record), title)}</h1>
${names.length > 0 && markup`<p>By ${commas(names)}</p>`}
${picture({ of: "b", id: cover, size: "S", alt: "" })}
<p>${howToRead(view)}</p>`,
  });
  // Loans come and go.
  return { ...reply, isVolatile: view.word?.startsWith("borrow") ?? false };
}

function howToRead({ record, edition, word }: WidgetView): Markup {
  const borrow = `${keyOf(edition) ?? ""}/x/borrow`;
  switch (word) {
    case "open":
      return topLink(`${borrow}?action=read`, "Read");
    case "borrow_available":
      return topLink(borrow, "Borrow");
    case "borrow_unavailable":
      return topLink(recordPage(keyOf(edition) ?? "", edition ?? record), "Lent out: wait for it");
    default:
      return topLink(recordPage(keyOf(record) ?? "", record), "About this book");
  }
}

/** A link that leaves the frame. */
function topLink(href: string, text: string): Markup {
  return markup`<a href="${href}" target="_top">${text}</a>`;
}
