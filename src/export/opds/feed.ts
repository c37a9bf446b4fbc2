import type { Book } from "../book.ts";

/** Media types of OPDS 1.2 and 2.0, and of documents for their authentication. */
export const OPDS_TYPES = {
  navigation: "application/atom+xml;profile=opds-catalog;kind=navigation",
  acquisition: "application/atom+xml;profile=opds-catalog;kind=acquisition",
  entry: "application/atom+xml;type=entry;profile=opds-catalog",
  feed: "application/opds+json",
  publication: "application/opds-publication+json",
  authentication: "application/opds-authentication+json",
  search: "application/opensearchdescription+xml",
} as const;

/** What relations of OPDS begin with. */
export const OPDS_REL = "http://opds-spec.org/";

/** A link of a feed to another document. Addresses are whole, here as everywhere in a feed. */
export interface FeedLink {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  readonly title?: string;
  /** The address is a template. */
  readonly isTemplate?: boolean;
}

/** An entry that leads to another feed. */
export interface Shelfmark {
  readonly title: string;
  readonly href: string;
  readonly kind: "navigation" | "acquisition";
  readonly summary?: string;
  /** How many books there are. */
  readonly count?: number | undefined;
  readonly rel?: string | undefined;
}

/** Other views of the same books. */
export interface FacetGroup {
  readonly title: string;
  readonly links: readonly {
    readonly title: string;
    readonly href: string;
    readonly count?: number | undefined;
    readonly isActive: boolean;
  }[];
}

/** How a lent book stands, to everybody or to the patron who asks. Times are RFC 3339. */
export interface Availability {
  readonly state: "available" | "unavailable" | "reserved" | "ready";
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly copies?: { readonly total: number; readonly available: number };
  readonly holds?: { readonly total: number; readonly position?: number };
}

/** A way to have a book. */
export interface Acquisition {
  readonly kind: "open-access" | "borrow" | "sample" | "buy" | "subscribe";
  readonly href: string;
  readonly type: string;
  readonly price?: { readonly value: number; readonly currency: string } | undefined;
  readonly availability?: Availability | undefined;
}

/** A book that can be had. */
export interface Publication {
  readonly book: Book;
  /** Address of its own document. */
  readonly href: string;
  readonly acquisitions: readonly Acquisition[];
}

/** Who publishes the catalog: Atom wants an author of everything. */
interface Publisher {
  readonly name: string;
  readonly url: string;
}

/** A feed, in either version of OPDS. */
export interface Feed {
  readonly publisher: Publisher;
  readonly title: string;
  /** RFC 3339. */
  readonly updated: string;
  readonly kind: "navigation" | "acquisition";
  /** `self` is among them. */
  readonly links: readonly FeedLink[];
  readonly navigation: readonly Shelfmark[];
  readonly publications: readonly Publication[];
  readonly facets: readonly FacetGroup[];
  readonly paging?: { readonly total: number; readonly size: number; readonly page: number };
}

/** When a record was last changed, RFC 3339. */
export function modifiedOf({ modified }: Book): string | undefined {
  return modified === undefined ? undefined : `${modified.slice(0, 19)}Z`;
}

/** The cover of a book in two sizes, first the larger one. Where none is known there is still a picture by its number. */
export function coversOf({ coverUrl, site, id }: Book): string[] {
  const large = coverUrl ?? `${site}/b/olid/${id}-L.jpg`;
  return [large, large.replace(/-L\.jpg$/, "-M.jpg")];
}
