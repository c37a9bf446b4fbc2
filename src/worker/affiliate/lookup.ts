import type { ImportRecord } from "../../import/record.ts";

/** How a lookup is made. */
export interface LookupOptions {
  /** Somebody waits for it. */
  readonly highPriority: boolean;
  /** The other service may stage what it finds, too. */
  readonly stageImport: boolean;
}

/**
 * What came of a lookup: an import record; found, and staged by the other service itself; nothing to be had; asked for, ask
 * again later; nobody to ask; no answer.
 */
export type LookupAnswer =
  | { readonly kind: "hit"; readonly record: ImportRecord }
  | { readonly kind: "staged" | "nothing" | "submitted" | "not_configured" | "failed" };

/** Where books of the retail trade are looked up (import.md 8.3). Never throws. */
export interface AffiliateLookup {
  /** Whether there is anybody to ask. */
  readonly isConfigured: boolean;
  /** Looks up an ISBN or an ASIN. */
  lookUp(identifier: string, options: LookupOptions): Promise<LookupAnswer>;
}
