import { latestRecord } from "../../catalog/document.ts";
import { olidOfKey } from "../../catalog/keys.ts";
import { ocaidOf } from "../../catalog/lookup/shared.ts";
import { type JsonObject, keyOf, stringsOf } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/read-record.ts";
import type { Document, WorkSearch } from "../../search/engine.ts";
import { availability, lendingAvailability } from "../../search/present/availability.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { engineOf } from "../search/engine-of.ts";
import { guarded } from "../search/guarded.ts";
import { lendingStates } from "./lending-states.ts";

/** Fields of works that tell which edition is lent. */
const FIELDS = ["key", "lending_edition_s", "lending_identifier_s"];

/**
 * Editions that can be borrowed now, one of each work that a search finds, with their availability: works whose copies are
 * all lent out are left out of the page.
 */
export async function borrowableEditions(
  context: RequestContext,
  search: Omit<WorkSearch, "fields" | "withEditions">,
  text: string,
): Promise<JsonObject[]> {
  const hits = await guarded(
    async () => (await engineOf(context)).works({ ...search, withEditions: false, fields: FIELDS }),
    text,
  );
  const keys = hits.documents.flatMap((document) => lentEdition(document));
  const [rows, states] = await Promise.all([
    readRecords(catalogReader(context), keys),
    lendingStates(
      context,
      hits.documents.flatMap(({ lending_identifier_s: scan }) => stringsOf(scan)),
    ),
  ]);
  const editions = new Map(rows.map((row) => [row.key, latestRecord(row)]));
  return hits.documents.flatMap((document) => {
    const edition = editions.get(lentEdition(document)[0] ?? "");
    const scan = edition === undefined ? undefined : ocaidOf(edition);
    if (edition === undefined || scan === undefined) return [];
    const of = {
      scan,
      work: olidOfKey(stringsOf(document["key"])[0] ?? ""),
      edition: olidOfKey(keyOf(edition) ?? ""),
    };
    const status = states?.get(scan);
    const isFree = status === undefined || (status.isLendable && status.free > 0);
    if (!isFree) return [];
    const state =
      status === undefined
        ? availability({ ebook_access: "borrowable" }, of)
        : lendingAvailability(status, of);
    return [{ ...edition, availability: state }];
  });
}

function lentEdition({ lending_edition_s: edition }: Document): string[] {
  return stringsOf(edition)
    .slice(0, 1)
    .map((one) => `/books/${one}`);
}
