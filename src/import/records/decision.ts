import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { isEnvelope } from "../../catalog/editing/members.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import type { CatalogRecord, Json } from "../../catalog/record.ts";
import type { ImportWarning } from "../warning.ts";

/** Placeholder in `covers` until the desk assigns a number to the cover. */
export const COVER_TO_COME = -2;

type OutcomeStatus = "created" | "modified" | "matched";

export interface RecordOutcome {
  /** Key of a record; for a new record its position in `Decision.created`, such as `/__new__/2`. */
  readonly key: string;
  readonly status: OutcomeStatus;
}

/** Response of an import, without the members that a preview adds. */
export interface ImportResponse {
  readonly success: true;
  readonly authors?: readonly (RecordOutcome & { readonly name: string })[];
  readonly edition: RecordOutcome;
  readonly work: RecordOutcome;
  /** Changes and losses of the record. Absent if there are none. */
  readonly warnings?: readonly ImportWarning[];
}

export interface Decision {
  /** New records without keys: authors, work, edition. References are `{"key": "/__new__/2"}`. */
  readonly created: readonly CatalogRecord[];
  /** Changed records in full, with key and type, without the envelope (revision, times). */
  readonly edits: readonly CatalogRecord[];
  readonly kind: "add-book" | "edit-book";
  readonly comment: string;
  /** URL of the image for `COVER_TO_COME`. */
  readonly cover?: string;
  readonly reply: ImportResponse;
}

export interface DecideOptions {
  readonly prefix: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** True for records from an item's own MARC file. */
  readonly fromMarc: boolean;
  /** Hosts from which covers are accepted, in lower case. */
  readonly coverHosts: readonly string[];
  /** Warnings of the reading and checking of the record, which the response repeats. */
  readonly warnings?: readonly ImportWarning[] | undefined;
}

/** Returns a decision whose response has these warnings. */
export function withWarnings(decision: Decision, warnings: readonly ImportWarning[]): Decision {
  return warnings.length === 0 ? decision : { ...decision, reply: { ...decision.reply, warnings } };
}

/** Returns the URL of a cover. Returns undefined if it is not on an accepted host. */
export function toAllowedCoverUrl(cover: Json | undefined, hosts: readonly string[]): string | undefined {
  return typeof cover === "string" ? parseAllowedUrl(cover.trim(), hosts)?.href : undefined;
}

/** Returns the number of a record's first cover. Numbers below 1 mean that there is no cover. */
export function firstCoverOf(covers: Json | undefined): number | undefined {
  const numbers = Array.isArray(covers) ? covers.filter((cover) => typeof cover === "number") : [];
  return numbers.find((number) => number > 0);
}

export class DecisionDraft {
  readonly created: CatalogRecord[] = [];
  readonly edits: CatalogRecord[] = [];

  create(record: CatalogRecord): RecordOutcome {
    const place = this.created.push(record) - 1;
    return { key: `/__new__/${place}`, status: "created" };
  }

  /** Adds a record of the catalog with changed members, if there are any. */
  edit({ key, document }: StoredForWrite, members: CatalogRecord): RecordOutcome {
    if (Object.keys(members).length === 0) return { key, status: "matched" };
    this.edits.push({ ...withoutEnvelope(document), ...members });
    return { key, status: "modified" };
  }
}

function withoutEnvelope(document: CatalogRecord): CatalogRecord {
  return Object.fromEntries(
    Object.entries(document).filter(([name]) => name === "key" || name === "type" || !isEnvelope(name)),
  );
}
