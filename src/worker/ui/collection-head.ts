import { FEED_TYPES } from "../../catalog/web-feed.ts";
import { SCHEMA_CONTEXT } from "../../export/formats.ts";
import { type Markup, dataBlock, markup } from "./markup.ts";
import { siteName } from "./parts.ts";

interface Collection {
  /** Base URL of the site, without a trailing slash. */
  site: string;
  address: string;
  title: string;
  description?: string;
  total: number;
  /** Items of this page; `href` is a path. */
  items: readonly { href: string; title: string }[];
  json: string;
  atom?: string;
}

const FORMS = [
  ["json", "application/json", "JSON"],
  ["atom", "application/atom+xml", "Atom"],
] as const;

/** Makes the head for other programs: JSON-LD (schema.org ItemList), OpenGraph, links to other formats. */
export function collectionHead(collection: Collection): Markup {
  const { site, title, description, total, items } = collection;
  const url = site + collection.address;
  const list = {
    ...SCHEMA_CONTEXT,
    "@type": "ItemList",
    "@id": url,
    name: title,
    numberOfItems: total,
    itemListElement: items.map(({ href, title: name }, at) => ({
      "@type": "ListItem",
      position: at + 1,
      url: site + href,
      name,
    })),
  };
  return markup`
<link rel="canonical" href="${url}">
${FORMS.map(([form, type, label]) => collection[form] !== undefined && markup`<link rel="alternate" type="${type}" href="${collection[form]}" title="${label}">`)}
${preview([
  ["type", "website"],
  ["title", title],
  ["url", url],
  ["description", description],
])}
${dataBlock("application/ld+json", list)}`;
}

const FEEDS = [
  ["atom", "Atom"],
  ["json", "JSON Feed"],
] as const;

/** Links to the feeds of a page (src/worker/feeds/routes.ts), whose address is a path without parameters. */
export function feedLinks(address: string): Markup {
  return markup`${FEEDS.map(
    ([form, label]) =>
      markup`
<link rel="alternate" type="${FEED_TYPES[form]}" href="${address}/feed.${form}" title="${label}">`,
  )}`;
}

/** Makes the data of link previews (OpenGraph), without empty members. */
export function preview(members: readonly (readonly [name: string, content: string | undefined])[]): Markup {
  const present = members.filter(([, content]) => content !== undefined && content !== "");
  return markup`<meta property="og:site_name" content="${siteName}">${present.map(
    ([name, content]) => markup`<meta property="og:${name}" content="${content}">`,
  )}`;
}
