import { datetimeText } from "../../catalog/datetime.ts";
import { readCatalogWaiting, readDatabaseSize, readPatronsWaiting } from "../../db/service/totals.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";
import { notesOf } from "../search/engine.ts";
import { writePoint } from "../http/metrics.ts";
import type { Jobs } from "../http/queue.ts";
import { serviceProgress } from "../platform/service-progress.ts";
import type { Numbers, CheckResult } from "./checks.ts";
import type { Database } from "../../db/statement.ts";
import type { Stores } from "../http/bindings.ts";
import type { Settings } from "../http/settings.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Watched = Pick<Jobs, "stores" | "settings" | "sources">;

/** Reads the levels to watch: waiting rows, lag of the projections, and bytes of the databases. */
export async function readLevels({ stores, settings, sources }: Watched): Promise<Numbers> {
  const { catalog, patrons } = stores;
  const now = sources.now();
  const [progress, { newest_dump: newestDump, ...ofCatalog }, ofPatrons, jobs, sizes] = await Promise.all([
    serviceProgress(stores, settings),
    readCatalogWaiting(catalog, datetimeText(now - HOUR_MS)),
    readPatronsWaiting(patrons),
    countDueJobs(notesOf(stores, settings), datetimeText(now)),
    Promise.all(
      Object.entries(databasesOf(stores, settings)).map(async ([name, database]) =>
        Object.entries(await readSize(database)).map(([unit, size]) => [`${name}_${unit}`, size] as const),
      ),
    ),
  ]);
  const behind = Object.entries(progress.projections).map(([name, { behind: lag }]) => [
    `behind_${name}`,
    lag,
  ]);
  const dump = newestDump === null ? {} : { dump_days: (now - Date.parse(newestDump)) / DAY_MS };
  return {
    ...ofCatalog,
    ...dump,
    ...ofPatrons,
    index_jobs: jobs,
    ...Object.fromEntries(behind),
    ...Object.fromEntries(sizes.flat()),
  };
}

/** Scheduled task, every five minutes: writes the levels as data points. */
export async function recordLevels(watched: Watched): Promise<void> {
  const { metrics } = watched.stores;
  if (metrics === undefined) return;
  for (const [name, value] of Object.entries(await readLevels(watched))) {
    writePoint(metrics, "level", [[name], [value]]);
  }
}

/** Limit of a D1 database, in bytes; beyond it every write fails. */
const D1_BYTES_MAX = 10_000_000_000;
/** Percentage of `D1_BYTES_MAX` from which `/status` warns. */
const WARNED_PERCENT = 80;

/** Returns the databases by name; `isD1` is false for a catalog in PostgreSQL. */
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
export async function readSize({ database, isD1 }: { database: Database; isD1: boolean }): Promise<Numbers> {
  const bytes = await readDatabaseSize(database);
  return isD1 ? { bytes, percent: (bytes / D1_BYTES_MAX) * 100 } : { bytes };
}

export function sizeProblems(results: readonly Pick<CheckResult, "name" | "numbers">[]): string[] {
  return results.flatMap(({ name, numbers: { percent = 0 } }) =>
    percent < WARNED_PERCENT
      ? []
      : [
          `The database ${name} has ${Math.floor(percent)} % of the 10 GB that it may have. Beyond them every write fails.`,
        ],
  );
}
