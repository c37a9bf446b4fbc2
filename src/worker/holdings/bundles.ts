import { ebookAccess } from "../../catalog/ebook-access.ts";
import { type EditionBundle, type LookupConfig, isCheckedOut, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, elementsOf, keyOf, keysOf, stringsOf } from "../../catalog/record.ts";
import { readItems } from "../../db/lending/holdings.ts";
import { readRelated } from "../../db/records/related.ts";
import type { Database } from "../../db/statement.ts";
import { type RequestContext, baseUrl, coversUrl } from "../http/operation.ts";
import type { FoundEdition } from "./find-editions.ts";
import { lendingStates } from "./lending-of.ts";

/** What is needed around the editions: authors and works for the longer forms only. */
type Depth = "edition" | "work-and-authors";

interface Gathering {
  readonly depth: Depth;
  readonly context: RequestContext;
  readonly withLoans?: boolean;
}

/**
 * Gathers around editions what their entries show. Two statements at most, and with loans lending is asked how the scans
 * stand, all at once; nothing where no edition has a scan and only the short form is wanted.
 */
export async function gatherBundles(
  database: Database,
  found: readonly FoundEdition[],
  { depth, context, withLoans = false }: Gathering,
) {
  const editions = found.map(({ edition }) => edition);
  const scanned = editions.filter((edition) => ocaidOf(edition) !== undefined);
  const around = depth === "edition" ? scanned : editions;
  const scans = distinct(scanned.map(ocaidOf));
  const [related, items, states] = await Promise.all([
    readRelated(database, {
      works: distinct(around.map(workKeyOf)),
      authors: depth === "edition" ? [] : distinct(around.flatMap(({ authors }) => keysOf(authors))),
    }),
    readItems(database, scans),
    lendingStates(context, withLoans ? scans : []),
  ]);
  const byEdition = new Map(
    editions.map((edition) => {
      const work = related.records.get(workKeyOf(edition) ?? "");
      const scan = ocaidOf(edition) ?? "";
      const access = ebookAccess({
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
    /** Of the records that decide the answer. */
    revisions: [...found.map(({ revision }) => revision), ...related.revisions],
    /** How the scans of the editions stand, which no revision tells: it decides the answer as well. */
    scanStates: scanStatesText([...byEdition.values()]),
    /** Whether there are scans whose loans the answer shows: it can be another one at any moment. */
    isVolatile: withLoans && [...byEdition.values()].some(({ access }) => access === "borrowable"),
  };
}

/** How openly the scans of editions can be read, and which are lent out: a text that is another one when that changes. */
export function scanStatesText(bundles: readonly EditionBundle[]): string {
  return bundles
    .flatMap(({ edition, access, lending }) => {
      const scan = ocaidOf(edition);
      return scan === undefined ? [] : [`${scan} ${access}${isCheckedOut(lending) ? " out" : ""}`];
    })
    .join(" ");
}

/** Key of an edition's first work. */
export function workKeyOf({ works }: CatalogRecord): string | undefined {
  return keyOf(elementsOf(works)[0]);
}

/** Those that are there, each once. */
export function distinct(keys: readonly (string | undefined)[]): string[] {
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** The addresses that lookup answers point to. */
export function lookupConfig(context: RequestContext): LookupConfig {
  const archiveUrl = context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
  return { baseUrl: baseUrl(context), coversUrl: coversUrl(context), archiveUrl };
}
