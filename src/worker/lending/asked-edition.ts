import type { BibKey } from "../../catalog/lookup/bibkey.ts";
import type { EditionBundle } from "../../catalog/lookup/shared.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { recordNotFound } from "../errors.ts";
import { gatherBundles } from "../lookup/bundles.ts";
import { findByBibKeys } from "../lookup/find.ts";

const SCAN = /^ia:(.+)$/;

/**
 * The edition of an address, by its number or as `ia:<scan>`, redirects followed, with its work. `withLoans`: lending is asked
 * how its scan stands. Throws a 404 when there is none.
 */
export async function editionOfAddress(
  context: RequestContext,
  olid: string,
  { withLoans = false }: { readonly withLoans?: boolean } = {},
): Promise<EditionBundle> {
  const database = catalogReader(context);
  const scan = SCAN.exec(olid)?.[1];
  const isEdition = new RegExp(`^${context.settings.RECORD_PREFIX}\\d+M$`).test(olid);
  if (scan === undefined && !isEdition) throw recordNotFound(`/books/${olid}`);
  const key: BibKey =
    scan === undefined
      ? { requested: olid, kind: "olid", value: olid }
      : { requested: olid, kind: "ocaid", value: scan };
  const found = await findByBibKeys(database, [key]);
  const { byEdition } = await gatherBundles(database, found, {
    depth: "work-and-authors",
    context,
    withLoans,
  });
  const [bundle] = byEdition.values();
  if (bundle === undefined) throw recordNotFound(`/books/${olid}`);
  return bundle;
}
