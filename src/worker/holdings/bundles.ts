import { type EbookAccess, type ItemMetadata, ebookAccess } from "../../catalog/ebook-access.ts";
import { type EditionBundle, type LookupConfig, isCheckedOut, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, type Json, keyOf, stringsOf } from "../../catalog/record.ts";
import { readItems } from "../../db/lending/holdings.ts";
import { readRelated } from "../../db/records/related.ts";
import { type RequestContext, baseUrl, coversUrl } from "../http/operation.ts";
import type { FoundEdition } from "./find-editions.ts";
import { lendingStates } from "./lending-of.ts";

/** Bundles by edition key, and the records whose revisions decide the answer. */
interface Bundles {
  readonly byEdition: ReadonlyMap<CatalogRecord, EditionBundle>;
  readonly items: ReadonlyMap<string, ItemMetadata>;
  readonly revisions: readonly { readonly key: string; readonly revision: number }[];
  /** How the scans of the editions stand, which no revision tells: it decides the answer as well. */
  readonly scanStates: string;
  /** Whether there are scans whose loans the answer shows: it can be another one at any moment. */
  readonly isVolatile: boolean;
}

/** What is needed around the editions: authors and works for the longer forms only. */
type Depth = "edition" | "work-and-authors";

interface Gathering {
  readonly depth: Depth;
  readonly context: RequestContext;
  /** Whether lending is asked how the scans stand. Default false. */
  readonly withLoans?: boolean;
}

/**
 * Gathers around editions what their entries show. Two statements at most and perhaps lending, all at once; nothing where
 * no edition has a scan and only the short form is wanted.
 */
export async function gatherBundles(
  database: D1DatabaseSession,
  found: readonly FoundEdition[],
  { depth, context, withLoans = false }: Gathering,
): Promise<Bundles> {
  const editions = found.map(({ edition }) => edition);
  const scanned = editions.filter((edition) => ocaidOf(edition) !== undefined);
  const around = depth === "edition" ? scanned : editions;
  const scans = distinct(scanned.map(ocaidOf));
  const [related, items, states] = await Promise.all([
    readRelated(database, {
      works: distinct(around.map(workKeyOf)),
      authors:
        depth === "edition" ? [] : distinct(around.flatMap((edition) => authorKeysOf(edition["authors"]))),
    }),
    readItems(database, scans),
    lendingStates(context, withLoans ? scans : []),
  ]);
  const byEdition = new Map(
    editions.map((edition) => {
      const work = related.records.get(workKeyOf(edition) ?? "");
      const access = accessOf(edition, work, { items, context });
      const lending = states?.get(ocaidOf(edition) ?? "");
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
    revisions: [...found.map(({ revision }) => revision), ...related.revisions],
    scanStates: scanStatesText([...byEdition.values()]),
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

interface Holdings {
  readonly items: ReadonlyMap<string, ItemMetadata>;
  readonly context: RequestContext;
}

/** How openly an edition can be read, by what is known of its scan. */
function accessOf(
  edition: CatalogRecord,
  work: CatalogRecord | undefined,
  { items, context }: Holdings,
): EbookAccess {
  return ebookAccess({
    edition,
    item: items.get(ocaidOf(edition) ?? ""),
    workSubjects: stringsOf(work?.["subjects"]),
    deriveItem: context.settings.DERIVE_HOLDINGS,
  });
}

/** Key of an edition's first work. */
export function workKeyOf(edition: CatalogRecord): string | undefined {
  const { works } = edition;
  return Array.isArray(works) ? keyOf(works[0]) : undefined;
}

function authorKeysOf(authors: Json | undefined): (string | undefined)[] {
  return Array.isArray(authors) ? authors.map(keyOf) : [];
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
