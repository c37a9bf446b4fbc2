import {
  type SerializedElement,
  element,
  textElement,
  textElements,
  renderXmlDocument,
} from "../../catalog/xml.ts";
import { ATOM } from "../../import/xml-records.ts";
import { TERMS } from "../../import/builder.ts";
import { type Book, fullTitleOf, tagOf } from "../book.ts";
import { exportDateOf } from "../dates.ts";
import { agentRoleOf, agentsInRole } from "../agents.ts";
import {
  type Acquisition,
  type FacetGroup,
  type Feed,
  type FeedLink,
  type Publication,
  type NavigationEntry,
  OPDS_REL,
  OPDS_TYPES,
  coversOf,
  modifiedOf,
  seriesOf,
} from "./feed.ts";

const DECLARED = {
  xmlns: ATOM,
  "xmlns:dc": TERMS,
  "xmlns:opds": "http://opds-spec.org/2010/catalog",
  "xmlns:opensearch": "http://a9.com/-/spec/opensearch/1.1/",
  "xmlns:schema": "http://schema.org/",
  "xmlns:thr": "http://purl.org/syndication/thread/1.0",
};

/** Renders a feed of OPDS 1.2. Q674: only one without books has an author, since readers show it as that of a book. */
export function renderAtomFeed(feed: Feed): string {
  const { title, updated, kind, links, navigation, publications, facets } = feed;
  const self = links.find(({ rel }) => rel === "self")?.href ?? "";
  const children = [
    element("id", self),
    element("title", title),
    element("updated", updated),
    ...(kind === "navigation" ? [toPersonElement("author", feed.publisher)] : []),
    ...pagingElementsOf(feed),
    ...links.map(toLinkElement),
    ...facets.flatMap(toFacetLinks),
    ...navigation.map((entry) => toNavigationEntry(entry, updated)),
    ...publications.map((entry) => element("entry", toEntryElements(entry, updated))),
  ];
  return renderXmlDocument(element("feed", children, DECLARED));
}

export function renderAtomEntry(publication: Publication, updated: string): string {
  return renderXmlDocument(element("entry", toEntryElements(publication, updated), DECLARED));
}

function pagingElementsOf({ paging }: Feed): SerializedElement[] {
  if (paging === undefined) return [];
  const { total, size, page } = paging;
  return [
    element("opensearch:totalResults", String(total)),
    element("opensearch:itemsPerPage", String(size)),
    element("opensearch:startIndex", String((page - 1) * size + 1)),
  ];
}

function toLinkElement({ rel, href, type, title }: FeedLink): SerializedElement {
  return element("link", [], { rel, href, type, ...(title !== undefined && { title }) });
}

function toFacetLinks({ title: group, links }: FacetGroup): SerializedElement[] {
  return links.map(({ title, href, count, isActive }) =>
    element("link", [], {
      rel: `${OPDS_REL}facet`,
      href,
      type: OPDS_TYPES.acquisition,
      title,
      "opds:facetGroup": group,
      ...(isActive && { "opds:activeFacet": "true" }),
      ...(count !== undefined && { "thr:count": String(count) }),
    }),
  );
}

function toNavigationEntry(
  { title, href, kind, summary, count, rel }: NavigationEntry,
  updated: string,
): SerializedElement {
  const link = { rel: rel ?? "subsection", href, type: OPDS_TYPES[kind] };
  return element("entry", [
    element("title", title),
    element("id", href),
    element("updated", updated),
    element("content", summary ?? title, { type: "text" }),
    element("link", [], count === undefined ? link : { ...link, "thr:count": String(count) }),
  ]);
}

function toEntryElements({ book, href, acquisitions }: Publication, updated: string): SerializedElement[] {
  const others = book.agents.filter((agent) => agentRoleOf(agent) !== "author");
  return [
    element("title", fullTitleOf(book)),
    element("id", book.url),
    element("updated", modifiedOf(book) ?? updated),
    ...agentsInRole(book, "author").map((agent) => toPersonElement("author", agent)),
    ...others.map((agent) => toPersonElement("contributor", agent)),
    ...textElements("dc:identifier", identifiersOf(book)),
    ...textElements("dc:language", book.languages.map(tagOf)),
    ...textElements("dc:publisher", book.publishers),
    ...textElement("dc:issued", exportDateOf(book.issued).iso),
    ...textElement("dc:extent", book.pages === undefined ? book.pagination : `${book.pages} pages`),
    ...seriesOf(book).map(({ name, position }) =>
      element("schema:Series", [], attributesOf({ name, "schema:position": position })),
    ),
    ...book.subjects.map((subject) => element("category", [], { term: subject, label: subject })),
    ...textElement("summary", book.description),
    element("link", [], { rel: "self", href, type: OPDS_TYPES.entry }),
    element("link", [], { rel: "alternate", href: book.url, type: "text/html" }),
    ...coversOf(book).map((cover, at) =>
      element("link", [], { rel: OPDS_REL + IMAGES[at], href: cover, type: "image/jpeg" }),
    ),
    ...acquisitions.map(toAcquisitionLink),
  ];
}

const IMAGES = ["image", "image/thumbnail"];

function toPersonElement(
  name: string,
  agent: { readonly name: string; readonly url: string | undefined },
): SerializedElement {
  return element(name, [element("name", agent.name), ...textElement("uri", agent.url)]);
}

function identifiersOf({ isbn13, isbn10 }: Book): string[] {
  return [...isbn13, ...isbn10].map((isbn) => `urn:ISBN:${isbn}`);
}

function toAcquisitionLink({ kind, href, type, price, availability }: Acquisition): SerializedElement {
  const children = [
    ...(price === undefined
      ? []
      : [element("opds:price", String(price.value), { currencycode: price.currency })]),
    ...(availability === undefined ? [] : toAvailabilityElements(availability)),
  ];
  return element("link", children, { rel: `${OPDS_REL}acquisition/${kind}`, href, type });
}

function toAvailabilityElements(availability: NonNullable<Acquisition["availability"]>): SerializedElement[] {
  const { state, since, until, copies, holds } = availability;
  return [
    element("opds:availability", [], attributesOf({ status: state, since, until })),
    ...(copies === undefined ? [] : [element("opds:copies", [], attributesOf(copies))]),
    ...(holds === undefined ? [] : [element("opds:holds", [], attributesOf(holds))]),
  ];
}

function attributesOf(values: Readonly<Record<string, string | number | undefined>>) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
