import { ebookAccessOf } from "../../../catalog/ebook-access.ts";
import {
  type EditionBundle,
  isCheckedOut,
  ocaidOf,
  workKeyOf,
  distinctKeys,
} from "../../../catalog/lookup/bundle.ts";
import { keysOf, stringsOf } from "../../../catalog/record.ts";
import { readItems } from "../../../db/lending/holdings.ts";
import type { ReadRow } from "../../../db/records/record-rows.ts";
import { readRelated } from "../../../db/records/related.ts";
import type { Database } from "../../../db/statement.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { type EditionMatch, findByBibKeys } from "./find-editions.ts";
import { lendingStates } from "../../lending/service/lending-states.ts";
import type { Identifier } from "../../../catalog/identifiers/edition-identifiers.ts";
import { recordNotFound } from "../../http/errors.ts";

interface BundleOptions {
  /** Short entries show editions only, longer ones their works and authors, too. */
  depth: "edition" | "work-and-authors";
  context: RequestContext;
  withLoans?: boolean;
  /** Rows that `findByBibKeys` has read. */
  related?: readonly ReadRow[];
}

/**
 * Reads the records that the entries of editions show, unless they are among the `related`. Two statements at most, and
 * with loans one call of the lending service for all scans. Reads nothing if no edition has a scan and only the short form
 * is needed.
 */
export async function gatherBundles(
  database: Database,
  matches: readonly EditionMatch[],
  { depth, context, withLoans = false, related: known }: BundleOptions,
) {
  const editions = matches.map(({ edition }) => edition);
  const scanned = editions.filter((edition) => ocaidOf(edition) !== undefined);
  const withRecords = depth === "edition" ? scanned : editions;
  const scans = distinctKeys(scanned.map(ocaidOf));
  const [related, items, states] = await Promise.all([
    readRelated(
      database,
      {
        works: distinctKeys(withRecords.map(workKeyOf)),
        authors:
          depth === "edition" ? [] : distinctKeys(withRecords.flatMap(({ authors }) => keysOf(authors))),
      },
      known,
    ),
    readItems(database, scans),
    lendingStates(context, withLoans ? scans : []),
  ]);
  const byEdition = new Map(
    editions.map((edition) => {
      const work = related.records.get(workKeyOf(edition) ?? "");
      const scan = ocaidOf(edition) ?? "";
      const access = ebookAccessOf({
        edition,
        item: items.get(scan),
        workSubjects: stringsOf(work?.["subjects"]),
        deriveItem: context.settings.DERIVE_HOLDINGS,
      });
      const lending = states?.get(scan);
      const bundle: EditionBundle = {
        edition,
        authors: related.records,
        access,
        ...(work === undefined ? {} : { work }),
        ...(lending === undefined ? {} : { lending }),
      };
      return [edition, bundle] as const;
    }),
  );
  return {
    byEdition,
    items,
    /** Revisions of the records that determine the response. */
    revisions: [...matches.map(({ revision }) => revision), ...related.revisions],
    /** State of the scans, which is not part of a revision: it determines the response as well. */
    scanStates: scanStatesText([...byEdition.values()]),
    /** True if the response shows loans of scans: it can change at any moment. */
    isVolatile: withLoans && [...byEdition.values()].some(({ access }) => access === "borrowable"),
  };
}

/** Returns a text that changes with the access to the scans of editions, and with their loans. */
export function scanStatesText(bundles: readonly EditionBundle[]): string {
  return bundles
    .flatMap(({ edition, access, lending }) => {
      const scan = ocaidOf(edition);
      return scan === undefined ? [] : [`${scan} ${access}${isCheckedOut(lending) ? " out" : ""}`];
    })
    .join(" ");
}

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
  const { matches, related } = await findByBibKeys(
    database,
    [{ requested: olid, kind, value: scan ?? olid }],
    {
      withRelated: true,
    },
  );
  const options = { depth: "work-and-authors", context, withLoans, related } as const;
  const [bundle] = (await gatherBundles(database, matches, options)).byEdition.values();
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
  const { matches, related } = await findByBibKeys(database, keys, { withRelated: true });
  const options = { depth: "work-and-authors", context, withLoans: true, related } as const;
  const { byEdition } = await gatherBundles(database, matches, options);
  return new Map(
    matches.flatMap(({ key, edition }) => {
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
