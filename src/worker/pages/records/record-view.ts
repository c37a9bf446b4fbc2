import type { CatalogRecord } from "../../../catalog/record.ts";
import type { RecordRow } from "../../../db/records/read-record.ts";
import type { PageReader } from "../../browsing/page-reader.ts";
import type { Piece } from "../markup.ts";
import type { PartPlace } from "./paging.ts";

/** What every page of a record shows. */
export interface RecordView {
  readonly row: RecordRow;
  /** The revision that is shown, as readers get it. */
  readonly record: CatalogRecord;
  /** Path of the page, without a query. */
  readonly address: string;
  /** Path and query of the request: where forms lead back to. */
  readonly here: string;
  readonly reader: PageReader;
}

/** What is particular to the page of one kind of record. */
export interface RecordContent {
  readonly title: string;
  readonly body: Piece;
  /** Other addresses of the record: lists that it is on, covers and the like. */
  readonly links?: readonly Piece[];
  /** Revisions of other records that the page shows. */
  readonly shown?: readonly { readonly key: string; readonly revision: number }[];
  /** The page can be another one at any moment, whatever is written: it shows what is lent. */
  readonly isVolatile?: boolean;
  /** Address that a form of the page may end at. */
  readonly formsLeadTo?: string;
}

/** Where the parts of what belongs to a record are: they stand beside the revision that is shown. */
export function partPlace({ address, row }: RecordView): Omit<PartPlace, "anchor"> {
  return row.revision === row.latest ? { address } : { address, parameters: { v: String(row.revision) } };
}
