import type { Book } from "../book.ts";

/** Media types of OPDS 1.2 and 2.0, and of their authentication documents. */
export const OPDS_TYPES = {
  navigation: "application/atom+xml;profile=opds-catalog;kind=navigation",
  acquisition: "application/atom+xml;profile=opds-catalog;kind=acquisition",
  entry: "application/atom+xml;type=entry;profile=opds-catalog",
  feed: "application/opds+json",
  publication: "application/opds-publication+json",
  authentication: "application/opds-authentication+json",
  search: "application/opensearchdescription+xml",
  /** Errors of OPDS 2.0 (RFC 9457). */
  problem: "application/problem+json",
} as const;

export const OPDS_REL = "http://opds-spec.org/";

/** Link of a feed to another document. All addresses in a feed are absolute. */
export interface FeedLink {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  readonly title?: string;
  readonly isTemplate?: boolean;
}

export interface NavigationEntry {
  readonly title: string;
  readonly href: string;
  readonly kind: "navigation" | "acquisition";
  readonly summary?: string;
  readonly count?: number | undefined;
  readonly rel?: string | undefined;
}

/** Group of alternative views of the same books. */
export interface FacetGroup {
  readonly title: string;
  readonly links: readonly {
    readonly title: string;
    readonly href: string;
    readonly count?: number | undefined;
    readonly isActive: boolean;
  }[];
}

/** Availability of a lent book, in general or for the patron of the request. Times are RFC 3339. */
export interface Availability {
  readonly state: "available" | "unavailable" | "reserved" | "ready";
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly copies?: { readonly total: number; readonly available: number };
  readonly holds?: { readonly total: number; readonly position?: number };
}

export interface Acquisition {
  readonly kind: "open-access" | "borrow" | "sample" | "buy" | "subscribe";
  readonly href: string;
  readonly type: string;
  readonly price?: { readonly value: number; readonly currency: string } | undefined;
  readonly availability?: Availability | undefined;
}

export interface Publication {
  readonly book: Book;
  readonly href: string;
  readonly acquisitions: readonly Acquisition[];
}

export interface Feed {
  readonly publisher: { readonly name: string; readonly url: string };
  readonly title: string;
  /** RFC 3339. */
  readonly updated: string;
  readonly kind: "navigation" | "acquisition";
  readonly links: readonly FeedLink[];
  readonly navigation: readonly NavigationEntry[];
  readonly publications: readonly Publication[];
  readonly facets: readonly FacetGroup[];
  readonly paging?: { readonly total: number; readonly size: number; readonly page: number };
}

/** Returns the time of a record's last change, RFC 3339. */
export function modifiedOf({ modified }: Book): string | undefined {
  return modified === undefined ? undefined : `${modified.slice(0, 19)}Z`;
}

/** Returns a book's cover in two sizes, larger first; none for a book without a cover. */
export function coversOf({ coverUrl }: Book): string[] {
  return coverUrl === undefined ? [] : [coverUrl, coverUrl.replace(/-L\.jpg$/, "-M.jpg")];
}

const NUMBER = /^\D*(\d{1,9}(?:\.\d{1,9})?)\D*$/;

interface SeriesPosition {
  readonly name: string;
  readonly position: number | undefined;
}

/** Returns the series of a book and of its work, with positions that are a number: `3`, `no. 3`. */
export function seriesOf({ series, workSeries }: Book): SeriesPosition[] {
  const byName = new Map<string, SeriesPosition>();
  for (const { title: name, number = "" } of [...series, ...workSeries]) {
    const key = name.toLowerCase();
    const digits = NUMBER.exec(number)?.[1];
    const position = digits === undefined ? byName.get(key)?.position : Number(digits);
    byName.set(key, { name, position });
  }
  return [...byName.values()];
}
