import { latestRecord } from "../../catalog/document.ts";
import { recordUrl } from "../../catalog/slug.ts";
import { editionTitle } from "../../catalog/view.ts";
import { readRecords } from "../../db/records/read-record.ts";
import { type RequestContext, catalogReader } from "../context.ts";

/** What a page calls a book, and where it leads. */
export interface NamedBook {
  readonly title: string;
  readonly href: string;
}

/** Titles and pages of editions by their keys; books that are no editions any more are absent. One statement. */
export async function bookTitles(
  context: RequestContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, NamedBook>> {
  const rows = await readRecords(catalogReader(context), [...new Set(keys)]);
  const editions = rows.filter(({ type }) => type === "/type/edition");
  return new Map(
    editions.map((row) => {
      const edition = latestRecord(row);
      return [row.key, { title: editionTitle(edition) ?? "Untitled", href: recordUrl("", edition) }];
    }),
  );
}
