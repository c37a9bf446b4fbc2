import type { Identifier } from "../../catalog/identifiers/edition-identifiers.ts";
import type { EditionBundle } from "../../catalog/lookup/bundle.ts";
import type { Database } from "../../db/statement.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { gatherBundles } from "./bundles.ts";
import { findByBibKeys } from "./find-editions.ts";

const SCAN = /^ia:(.+)$/;

/**
 * Returns the edition of an address, by its number or as `ia:<scan>`, following redirects, with its work. `withLoans`:
 * asks the lending service for the state of its scan. Throws 404 if there is none.
 */
export async function editionOfAddress(
  context: RequestContext,
  olid: string,
  { withLoans = false }: { withLoans?: boolean } = {},
): Promise<EditionBundle> {
  const database = catalogReader(context);
  const scan = SCAN.exec(olid)?.[1];
  const isEdition = new RegExp(`^${context.settings.RECORD_PREFIX}\\d+M$`).test(olid);
  if (scan === undefined && !isEdition) throw recordNotFound(`/books/${olid}`);
  const kind = scan === undefined ? "olid" : "ocaid";
  const editions = await findByBibKeys(database, [{ requested: olid, kind, value: scan ?? olid }]);
  const options = { depth: "work-and-authors", context, withLoans } as const;
  const [bundle] = (await gatherBundles(database, editions, options)).byEdition.values();
  if (bundle === undefined) throw recordNotFound(`/books/${olid}`);
  return bundle;
}

/** Returns the edition with these digits, with the lending state of its scan. Throws 404 if there is none. */
export function editionOfDigits(context: RequestContext, digits: string): Promise<EditionBundle> {
  return editionOfAddress(context, `${context.settings.RECORD_PREFIX}${digits}M`, { withLoans: true });
}

/**
 * Returns the editions of scans, with works, authors and access, by scan id. Three statements at most, and a call of
 * the lending service.
 */
export async function editionsOfScans(
  database: Database,
  identifiers: readonly string[],
  context: RequestContext,
): Promise<ReadonlyMap<string, EditionBundle>> {
  const keys = identifiers.map((value) => ({ requested: value, kind: "ocaid" as const, value }));
  const editions = await findByBibKeys(database, keys);
  const options = { depth: "work-and-authors", context, withLoans: true } as const;
  const { byEdition } = await gatherBundles(database, editions, options);
  return new Map(
    editions.flatMap(({ key, edition }) => {
      const bundle = byEdition.get(edition);
      return bundle === undefined ? [] : [[key.value, bundle] as const];
    }),
  );
}

/** Returns the identifiers of a scan's edition: it has the scan, or was made from its record. */
export function identifiersOfScan(ocaid: string): Identifier[] {
  return [
    { kind: "ocaid", value: ocaid },
    { kind: "source", value: `ia:${ocaid}` },
  ];
}
