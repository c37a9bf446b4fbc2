import { readDatabaseSize } from "../../db/service/levels.ts";
import type { Database } from "../../db/statement.ts";
import type { Stores } from "../http/bindings.ts";
import type { Settings } from "../http/settings.ts";
import type { CheckResult, Numbers } from "./checks.ts";

/** Most bytes of a database of D1; beyond them every write fails. */
const D1_BYTES_MAX = 10_000_000_000;
/** Percentage of `D1_BYTES_MAX` from which on `/status` warns. */
const WARNED_PERCENT = 80;

/** The databases by name, and whether they are in D1. */
export function databasesOf(
  { catalog, search, patrons }: Pick<Stores, "catalog" | "search" | "patrons">,
  { CATALOG_HYPERDRIVE: postgres }: Pick<Settings, "CATALOG_HYPERDRIVE">,
) {
  return {
    catalog: { database: catalog, isD1: postgres === "" },
    search: { database: search, isD1: true },
    patrons: { database: patrons, isD1: true },
  };
}

/** Reads the size of a database in bytes, and for D1 in percent of its limit. One statement. */
export async function readSize({
  database,
  isD1,
}: {
  readonly database: Database;
  readonly isD1: boolean;
}): Promise<Numbers> {
  const bytes = await readDatabaseSize(database);
  return isD1 ? { bytes, percent: (bytes / D1_BYTES_MAX) * 100 } : { bytes };
}

/** Warnings about databases that are nearly full. */
export function sizeProblems(results: readonly Pick<CheckResult, "name" | "numbers">[]): string[] {
  return results.flatMap(({ name, numbers: { percent = 0 } }) =>
    percent < WARNED_PERCENT
      ? []
      : [
          `The database ${name} has ${Math.floor(percent)} % of the 10 GB that it may have. Beyond them every write fails.`,
        ],
  );
}
