import { type SerializedElement, element, textElement, renderXmlDocument } from "./xml.ts";

export interface FeedEntry {
  readonly title: string;
  readonly href: string;
  readonly id: string;
  /** RFC 3339. */
  readonly updated: string;
  /** RFC 3339. */
  readonly published?: string;
  readonly summary?: string | undefined;
  readonly authors: readonly string[];
}

export interface WebFeed {
  readonly title: string;
  readonly self: string;
  readonly page: string;
  /** RFC 3339. */
  readonly updated: string;
  /** Author of entries without their own. */
  readonly author?: string;
  readonly entries: readonly FeedEntry[];
}

export const FEED_TYPES = { atom: "application/atom+xml", json: "application/feed+json" } as const;

/** Renders an Atom feed (RFC 4287). */
export function renderAtom({ title, self, page, updated, author, entries }: WebFeed): string {
  return renderXmlDocument(
    element(
      "feed",
      [
        element("title", title),
        element("id", self),
        element("link", [], { rel: "self", type: "application/atom+xml", href: self }),
        element("link", [], { rel: "alternate", type: "text/html", href: page }),
        element("updated", updated),
        ...(author === undefined ? [] : [toPersonElement(author)]),
        ...entries.map(toEntryElement),
      ],
      { xmlns: "http://www.w3.org/2005/Atom" },
    ),
  );
}

function toEntryElement(entry: FeedEntry): SerializedElement {
  const { title, href, id, updated, published, summary, authors } = entry;
  return element("entry", [
    element("title", title),
    element("link", [], { rel: "alternate", type: "text/html", href }),
    element("id", id),
    ...textElement("published", published),
    element("updated", updated),
    ...textElement("summary", summary),
    ...authors.map(toPersonElement),
  ]);
}

function toPersonElement(name: string): SerializedElement {
  return element("author", [element("name", name)]);
}

/** Renders a JSON Feed (https://www.jsonfeed.org/version/1.1/). */
export function renderJsonFeed({ title, self, page, author, entries }: WebFeed): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: page,
    feed_url: self,
    ...(author !== undefined && { authors: [{ name: author }] }),
    items: entries.map(({ id, href, updated, published, authors, ...entry }) => ({
      id,
      url: href,
      title: entry.title,
      // An item must have a text.
      content_text: entry.summary === undefined || entry.summary === "" ? entry.title : entry.summary,
      date_published: published ?? updated,
      date_modified: updated,
      ...(authors.length > 0 && { authors: authors.map((name) => ({ name })) }),
    })),
  });
}
