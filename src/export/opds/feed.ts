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
} as const;

/** Prefix of OPDS relations. */
export const OPDS_REL = "http://opds-spec.org/";

/** Link of a feed to another document. All addresses in a feed are absolute. */
export interface FeedLink {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  readonly title?: string;
  /** True if the address is a template. */
  readonly isTemplate?: boolean;
}

/** Entry that leads to another feed. */
export interface Shelfmark {
  readonly title: string;
  readonly href: string;
  readonly kind: "navigation" | "acquisition";
  readonly summary?: string;
  /** Number of books. */
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

/** Way to acquire a book. */
export interface Acquisition {
  readonly kind: "open-access" | "borrow" | "sample" | "buy" | "subscribe";
  readonly href: string;
  readonly type: string;
  readonly price?: { readonly value: number; readonly currency: string } | undefined;
  readonly availability?: Availability | undefined;
}

/** Book that can be acquired. */
export interface Publication {
  readonly book: Book;
  /** Address of its own document. */
  readonly href: string;
  readonly acquisitions: readonly Acquisition[];
}

/** Publisher of the catalog, because Atom requires an author for everything. */
interface Publisher {
  readonly name: string;
  readonly url: string;
}

/** Feed, for either version of OPDS. */
export interface Feed {
  readonly publisher: Publisher;
  readonly title: string;
  /** RFC 3339. */
  readonly updated: string;
  readonly kind: "navigation" | "acquisition";
  /** Links, including `self`. */
  readonly links: readonly FeedLink[];
  readonly navigation: readonly Shelfmark[];
  readonly publications: readonly Publication[];
  readonly facets: readonly FacetGroup[];
  readonly paging?: { readonly total: number; readonly size: number; readonly page: number };
}

/** Returns the time of a record's last change, RFC 3339. */
export function modifiedOf({ modified }: Book): string | undefined {
  return modified === undefined ? undefined : `${modified.slice(0, 19)}Z`;
}

/**
 * Returns the cover of a book in two sizes, larger one first. Without a known cover there is still an image by the
 * record's number.
 */
export function coversOf({ coverUrl, site, id }: Book): string[] {
  const large = coverUrl ?? `${site}/b/olid/${id}-L.jpg`;
  return [large, large.replace(/-L\.jpg$/, "-M.jpg")];
}
