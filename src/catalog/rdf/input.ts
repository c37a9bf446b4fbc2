import type { CatalogRecord } from "../record.ts";

/** Editions that the description of a work names at most (records.md 2.4). */
export const RDF_EDITIONS_MAX = 20;

/** What an RDF description is made of. All records are as read (`readView`); nothing is fetched. */
export interface RdfInput {
  /** The record to describe: an edition, a work or an author. */
  readonly record: CatalogRecord;
  /** First work of an edition, its redirects followed. */
  readonly work?: CatalogRecord;
  /** Authors named by the edition or the work, by the key under which they are named. */
  readonly authors: ReadonlyMap<string, CatalogRecord>;
  /** Editions of a work, in the order in which they are to be named. */
  readonly editions?: readonly CatalogRecord[];
  /** What subject URIs start with: scheme and host, no trailing slash. */
  readonly baseUrl: string;
  /** Public address of the cover store, no trailing slash. */
  readonly coversUrl: string;
}
