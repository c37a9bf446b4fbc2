import type { JsonObject } from "../../catalog/record.ts";
import { type Book, isbnOf, tagOf } from "../book.ts";
import { formatIsoDate } from "../../catalog/publication-date.ts";
import { exportDateOf } from "../dates.ts";
import { dropEmptyMembers } from "../values.ts";
import { type AgentRole, agentsInRole } from "../agents.ts";
import {
  type Acquisition,
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

/** Converts a feed to OPDS 2.0. */
export function toJsonFeed({
  title,
  updated,
  kind,
  links,
  navigation,
  publications,
  facets,
  paging,
}: Feed): JsonObject {
  const page =
    paging === undefined
      ? {}
      : { numberOfItems: paging.total, itemsPerPage: paging.size, currentPage: paging.page };
  return {
    metadata: { title, modified: updated, ...page },
    links: links.map(toLink),
    ...(navigation.length > 0 && { navigation: navigation.map(toNavigationLink) }),
    ...((kind === "acquisition" || navigation.length === 0) && {
      publications: publications.map(toJsonPublication),
    }),
    ...(facets.length > 0 && {
      facets: facets.map((group) => ({
        metadata: { title: group.title },
        links: group.links.map(({ title: name, href, count, isActive }) => ({
          href,
          type: OPDS_TYPES.feed,
          title: name,
          ...(isActive && { rel: "self" }),
          ...countPropertiesOf(count),
        })),
      })),
    }),
  };
}

function toLink({ rel, href, type, title, isTemplate = false }: FeedLink): JsonObject {
  return { rel, href, type, ...(title !== undefined && { title }), ...(isTemplate && { templated: true }) };
}

function toNavigationLink({ title, href, count, rel }: NavigationEntry): JsonObject {
  return { href, title, type: OPDS_TYPES.feed, rel: rel ?? "subsection", ...countPropertiesOf(count) };
}

function countPropertiesOf(count: number | undefined): JsonObject {
  return count === undefined ? {} : { properties: { numberOfItems: count } };
}

/** Converts a publication to OPDS 2.0. */
export function toJsonPublication({ book, href, acquisitions }: Publication): JsonObject {
  const covers = coversOf(book);
  return {
    metadata: metadataOf(book),
    links: [
      { rel: "self", href, type: OPDS_TYPES.publication },
      { rel: "alternate", href: book.url, type: "text/html" },
      ...acquisitions.map(toAcquisitionLink),
    ],
    // No empty list: KOReader reads the first element.
    ...(covers.length > 0 && { images: covers.map((cover) => ({ href: cover, type: "image/jpeg" })) }),
  };
}

const PARTS: readonly AgentRole[] = ["author", "editor", "translator", "illustrator", "contributor"];

/** Q599: dates must be days, so less precise ones become the first day. The schema has none before the year 1. */
function formatDay(issued: Book["issued"]): string | undefined {
  const { single } = exportDateOf(issued);
  return single && formatIsoDate({ month: 1, day: 1, ...single });
}

function metadataOf(book: Book): JsonObject {
  const [isbn, series] = [isbnOf(book), seriesOf(book)];
  const makers = PARTS.map((role): [AgentRole, JsonObject[]] => [
    role,
    agentsInRole(book, role).map(({ name, url }) => toLinkedName(name, url)),
  ]);
  return dropEmptyMembers({
    "@type": "http://schema.org/Book",
    identifier: isbn === undefined ? book.url : `urn:isbn:${isbn}`,
    title: book.title,
    subtitle: book.subtitle,
    modified: modifiedOf(book),
    published: formatDay(book.issued),
    ...Object.fromEntries(makers),
    publisher: book.publishers,
    language: book.languages.map(tagOf),
    description: book.description,
    subject: book.subjects,
    numberOfPages: book.pages,
    belongsTo:
      series.length === 0 ? undefined : { series: series.map((entry) => dropEmptyMembers({ ...entry })) },
  });
}

function toLinkedName(name: string, url: string | undefined): JsonObject {
  return { name, ...(url !== undefined && { links: [{ href: url, type: "text/html" }] }) };
}

function toAcquisitionLink({ kind, href, type, price, availability }: Acquisition): JsonObject {
  const { state, since, until, copies, holds } = availability ?? {};
  const properties = dropEmptyMembers({
    price: price === undefined ? undefined : { ...price },
    availability: state === undefined ? undefined : dropEmptyMembers({ state, since, until }),
    copies: copies === undefined ? undefined : { ...copies },
    holds: holds === undefined ? undefined : { ...holds },
  });
  const link = { rel: `${OPDS_REL}acquisition/${kind}`, href, type };
  return Object.keys(properties).length === 0 ? link : { ...link, properties };
}
