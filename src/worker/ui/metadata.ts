import type { JsonObject } from "../../catalog/record.ts";
import { FEED_TYPES } from "../../catalog/web-feed.ts";
import { SCHEMA_CONTEXT } from "../../export/formats.ts";
import { logoAddress } from "../http/pages/reader.ts";
import { type Markup, type Piece, dataBlock, forReader, markup, rawHtml } from "./markup.ts";
import { ownerSentence } from "./owner.ts";

interface Alternate {
  readonly href: string;
  readonly type: string;
  readonly title: Piece;
}

/** Metadata of a page for search engines, link previews, feed readers and reference managers. */
export interface Metadata {
  /** Path with the parameters that select the content (Q821). By default the path of the request, without parameters. */
  readonly address?: string;
  /** Title in previews; that of the page by default. */
  readonly title?: string;
  /** Summary of the content; the title and the purpose of the service by default. Only its start is written. */
  readonly description?: Piece;
  /** Path or URL of a picture; the sign of the service by default. */
  readonly image?: string | undefined;
  /** Type in OpenGraph. */
  readonly type?: "website" | "book" | "profile";
  /** Other properties in OpenGraph. */
  readonly properties?: readonly (readonly [name: string, content: string])[];
  /** Feeds and other formats. */
  readonly alternates?: readonly Alternate[];
  /** Data in the vocabulary of schema.org, by the base URL of the service. */
  readonly data?: (base: string) => JsonObject;
}

const SIGN = "/static/icon.png";

/** Colours of the head of a page, `--card` in the style sheet. */
const THEME_COLORS = { light: "#fffdf8", dark: "#1d2124" } as const;

const NOT_OK = 300;

interface Described {
  readonly title: Piece;
  readonly metadata?: Metadata;
  readonly status?: number;
}

export function metadataMarkup({ title, metadata = {}, status = 200 }: Described): Markup {
  const { description = markup`${title}. ${ownerSentence}`, type = "website" } = metadata;
  const { properties = [], alternates = [], data } = metadata;
  return forReader(({ base, here, site }) => {
    const image = metadata.image ?? (site.logo === null ? SIGN : logoAddress(site.logo));
    const address = status < NOT_OK ? (metadata.address ?? here.split("?")[0]) : undefined;
    const summary = plainText(description);
    const openGraph: readonly (readonly [string, Piece])[] = [
      ["og:site_name", site.name],
      ["og:type", type],
      ["og:title", plainText(metadata.title ?? title)],
      ["og:description", summary],
      ["og:image", image.startsWith("/") ? base + image : image],
      ...(address === undefined ? [] : [["og:url", base + address] as const]),
      ...properties,
    ];
    return markup`
${Object.entries(THEME_COLORS).map(([scheme, color]) => markup`<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${color}">`)}
<meta name="description" content="${summary}">
<meta name="twitter:card" content="summary">
${openGraph.map(([name, content]) => markup`<meta property="${name}" content="${content}">`)}${
      address !== undefined &&
      markup`
<link rel="canonical" href="${base + address}">`
    }${alternates.map(
      ({ href, type: form, title: label }) =>
        markup`
<link rel="alternate" type="${form}" href="${href}" title="${label}">`,
    )}${
      data !== undefined &&
      markup`
${dataBlock("application/ld+json", { ...SCHEMA_CONTEXT, ...data(base) })}`
    }`;
  });
}

/** Maximum length of a description or title, in characters: link previews show about as many. */
const SUMMARY_LENGTH = 300;
const SUMMARY_START = /^(?:&[#\w]+;|[^&]){0,299}/u;
const CHARACTERS = /&[#\w]+;|[^&]/gu;

/** Writes a piece as one line of text for an attribute, at most 300 characters. */
function plainText(piece: Piece): Markup {
  return forReader((reader) => {
    const html = markup`${piece}`.textFor(reader);
    // Texts are escaped, so that each `<` begins a tag.
    const text = html
      .replaceAll(/<(?:\/(?:p|li|blockquote|pre)|br)>/g, " ")
      .replaceAll(/<[^<>]*>/g, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const isShort = (text.match(CHARACTERS)?.length ?? 0) <= SUMMARY_LENGTH;
    return rawHtml(isShort ? text : `${SUMMARY_START.exec(text)?.[0] ?? ""}…`);
  });
}

interface Collection {
  readonly address: string;
  readonly name: string;
  /** Description of the whole; undefined for its size and first titles. */
  readonly description?: Piece;
  readonly size: Piece;
  readonly image?: string | undefined;
  readonly total: number;
  /** Items of this page; `href` is a path. */
  readonly items: readonly { readonly href: string; readonly title: string }[];
  readonly json?: string;
  readonly atom?: string;
  /** Other feeds. */
  readonly feeds?: readonly Alternate[];
  /** True for the results of a search. */
  readonly isSearch?: boolean;
}

/** Names in the description of a page that lists many. */
const DESCRIBED_NAMES = 8;

/** Writes a summary of a page that lists names: `2 works: Emma · Persuasion`. */
export function firstNames(heading: Piece, names: readonly string[]): Piece {
  return [heading, names.length > 0 && `: ${names.slice(0, DESCRIBED_NAMES).join(" · ")}`];
}

const FORMS = [
  ["json", "application/json", "JSON"],
  ["atom", FEED_TYPES.atom, "Atom"],
] as const;

/** Describes a page of items, also as a schema.org ItemList. */
export function collectionMetadata(collection: Collection): Metadata {
  const { address, name, size, image, total, items, feeds = [], isSearch = false } = collection;
  const forms = FORMS.flatMap(([form, type, title]) => {
    const href = collection[form];
    return href === undefined ? [] : { href, type, title };
  });
  const titles = items.map(({ title }) => title);
  const listAt = (base: string): JsonObject => ({
    "@type": "ItemList",
    "@id": base + address,
    name,
    numberOfItems: total,
    itemListElement: items.map(({ href, title }, at) => ({
      "@type": "ListItem",
      position: at + 1,
      url: base + href,
      name: title,
    })),
  });
  const resultsAt = (site: string): JsonObject => {
    const { "@id": url, ...mainEntity } = listAt(site);
    return { "@type": "SearchResultsPage", "@id": url ?? null, name, mainEntity };
  };
  return {
    address,
    description: collection.description ?? firstNames(size, titles),
    image,
    alternates: [...forms, ...feeds],
    data: isSearch ? resultsAt : listAt,
  };
}

const FEEDS = [
  ["atom", "Atom"],
  ["json", "JSON Feed"],
] as const;

/** Returns the feeds of a page (src/worker/feeds/routes.ts), whose address is a path without parameters. */
export function feedsOf(address: string): Alternate[] {
  return FEEDS.map(([form, title]) => ({ href: `${address}/feed.${form}`, type: FEED_TYPES[form], title }));
}
