import { ImportFailure } from "../../import/failure.ts";
import { parsedRecord } from "../../import/json.ts";
import type { ImportRecord } from "../../import/record.ts";
import type { StagedLookup } from "../../import/supplement.ts";
import { firstStagedOrPending } from "../../db/imports/staged.ts";
import type { Stores } from "../http/bindings.ts";

/** Finds what is staged or waits for a book: incomplete records are filled from it (import.md 2.5). */
export function stagedLookup({ catalog }: Pick<Stores, "catalog">): StagedLookup {
  return async (identifiers) => {
    if (identifiers.length === 0) return undefined;
    const first = await firstStagedOrPending(catalog, identifiers);
    return first?.data === undefined || first.data === null ? undefined : recordOf(first.data);
  };
}

/** What cannot be read fills nothing. */
function recordOf(data: string): ImportRecord | undefined {
  try {
    return parsedRecord(data);
  } catch (error) {
    if (error instanceof ImportFailure) return undefined;
    throw error;
  }
}
