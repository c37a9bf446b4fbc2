import { SCHEMA_CONTEXT } from "../../export/formats.ts";
import { NAME } from "../http/settings.ts";
import { type Markup, dataBlock, markup } from "./markup.ts";

/** A page of several things: works about a subject, members of a list. */
interface Collection {
  /** Base URL of the site, without a slash at its end. */
  readonly site: string;
  /** Path of the page, with its number. */
  readonly address: string;
  readonly title: string;
  readonly description?: string;
  /** How many there are on all its pages. */
  readonly total: number;
  /** What stands on this one; `href` is a path. */
  readonly items: readonly { readonly href: string; readonly title: string }[];
  /** Paths of the same for programs. */
  readonly json: string;
  readonly atom?: string;
}

const FORMS = [
  ["json", "application/json", "JSON"],
  ["atom", "application/atom+xml", "Atom"],
] as const;

/** What it says to search engines, previews of links and readers of feeds: JSON-LD (schema.org ItemList), OpenGraph, its other forms. */
export function collectionHead(what: Collection): Markup {
  const { site, title, description, total, items } = what;
  const url = site + what.address;
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
${FORMS.map(([form, type, label]) => what[form] !== undefined && markup`<link rel="alternate" type="${type}" href="${what[form]}" title="${label}">`)}
${preview([
  ["type", "website"],
  ["title", title],
  ["url", url],
  ["description", description],
])}
${dataBlock("application/ld+json", list)}`;
}

/** What others show of a link to a page (OpenGraph); what is empty is left out. */
export function preview(members: readonly (readonly [name: string, content: string | undefined])[]): Markup {
  const said = members.filter(([, content]) => content !== undefined && content !== "");
  return markup`<meta property="og:site_name" content="${NAME}">${said.map(
    ([name, content]) => markup`<meta property="og:${name}" content="${content}">`,
  )}`;
}
