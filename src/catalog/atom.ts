import { type SerializedElement, element, textElement, renderXmlDocument } from "./xml.ts";

export interface AtomEntry {
  readonly title: string;
  readonly href: string;
  readonly id: string;
  /** RFC 3339. */
  readonly updated: string;
  readonly summary?: string | undefined;
  readonly authors: readonly string[];
}

interface Atom {
  readonly title: string;
  readonly self: string;
  readonly page: string;
  /** RFC 3339. */
  readonly updated: string;
  /** Author of entries without their own. */
  readonly author?: string;
  readonly entries: readonly AtomEntry[];
}

/** Renders an Atom feed (RFC 4287). */
export function renderAtom({ title, self, page, updated, author, entries }: Atom): string {
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

function toEntryElement({ title, href, id, updated, summary, authors }: AtomEntry): SerializedElement {
  return element("entry", [
    element("title", title),
    element("link", [], { rel: "alternate", type: "text/html", href }),
    element("id", id),
    element("updated", updated),
    ...textElement("summary", summary),
    ...authors.map(toPersonElement),
  ]);
}

function toPersonElement(name: string): SerializedElement {
  return element("author", [element("name", name)]);
}
