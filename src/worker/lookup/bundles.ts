import { type EbookAccess, ebookAccess, type ItemMetadata } from "../../catalog/ebook-access.ts";
import { type EditionBundle, type LookupConfig, ocaidOf } from "../../catalog/lookup/shared.ts";
import { type CatalogRecord, type Json, keyOf, stringsOf } from "../../catalog/record.ts";
import { readItems } from "../../db/holdings/read-items.ts";
import { readRelated } from "../../db/records/read-related.ts";
import { type RequestContext, baseUrl, coversUrl } from "../context.ts";
import type { FoundEdition } from "./find.ts";

/** Bundles by edition key, and the records whose revisions decide the answer. */
export interface Bundles {
  readonly byEdition: ReadonlyMap<CatalogRecord, EditionBundle>;
  readonly items: ReadonlyMap<string, ItemMetadata>;
  readonly revisions: readonly { readonly key: string; readonly revision: number }[];
}

/** What is needed around the editions: authors and works for the longer forms only. */
export type Depth = "edition" | "work-and-authors";

/**
 * Gathers around editions what their entries show. Two statements at most; none where no edition has a scan
 * and only the short form is wanted.
 */
export async function gatherBundles(
  database: D1DatabaseSession,
  found: readonly FoundEdition[],
  { depth, context }: { depth: Depth; context: RequestContext },
): Promise<Bundles> {
  const editions = found.map(({ edition }) => edition);
  const scanned = editions.filter((edition) => ocaidOf(edition) !== undefined);
  const around = depth === "edition" ? scanned : editions;
  const [related, items] = await Promise.all([
    readRelated(database, {
      works: unique(around.map(workKeyOf)),
      authors:
        depth === "edition" ? [] : unique(around.flatMap((edition) => authorKeysOf(edition["authors"]))),
    }),
    readItems(database, unique(scanned.map(ocaidOf))),
  ]);
  const byEdition = new Map(
    editions.map((edition) => {
      const work = related.records.get(workKeyOf(edition) ?? "");
      const access = accessOf(edition, work, { items, context });
      // Nothing is lent out as long as there are no loan desks.
      const bundle = { edition, authors: related.records, access, checkedOut: false };
      return [edition, work === undefined ? bundle : { ...bundle, work }] as const;
    }),
  );
  return { byEdition, items, revisions: [...found.map(({ revision }) => revision), ...related.revisions] };
}

interface Holdings {
  readonly items: ReadonlyMap<string, ItemMetadata>;
  readonly context: RequestContext;
}

/** How openly an edition can be read, by what is known of its scan. */
export function accessOf(
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

function unique(keys: readonly (string | undefined)[]): string[] {
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** The addresses that lookup answers point to. */
export function lookupConfig(context: RequestContext): LookupConfig {
  const archiveUrl = context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
  return { baseUrl: baseUrl(context), coversUrl: coversUrl(context), archiveUrl };
}
