import { stringsOf } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import { matchedEdition } from "../match/match.ts";
import type { ImportRecord } from "../record.ts";
import { coverAddress } from "./cover-host.ts";
import { created } from "./create.ts";
import type { DecideOptions, Decision } from "./decision.ts";
import { enriched } from "./enrich.ts";
import type { Found } from "./found.ts";
import { requireMembers } from "./prepared-record.ts";

/**
 * Decides what becomes of a prepared record, given all that the catalog has about it (import.md 15.3 to 15.9). A pure
 * function: the same record and the same catalog give the same decision. Throws ImportFailure.
 */
export function decide(record: ImportRecord, found: Found, options: DecideOptions): Decision {
  requireMembers(record);
  const enrichment = { record, found, cover: coverAddress(record["cover"], options.coverHosts) };
  const edition = matchedEdition(record, found);
  if (edition === undefined) return created(enrichment);
  return options.fromMarc && isPromise(edition)
    ? created(enrichment, edition)
    : enriched(edition, enrichment);
}

/** An edition that nobody has touched since it was announced: more is known of it from any catalog. */
function isPromise({ revision, document }: StoredForWrite): boolean {
  return revision === 1 && stringsOf(document["source_records"])[0]?.startsWith("promise") === true;
}
