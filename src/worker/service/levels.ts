import { datetimeText } from "../../catalog/datetime.ts";
import { readCatalogWaiting, readDatabaseSize, readPatronsWaiting } from "../../db/service/levels.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";
import { notesOf } from "../search/engine.ts";
import { writePoint } from "../http/metrics.ts";
import type { Jobs } from "../http/queue.ts";
import { serviceProgress } from "../platform/service-progress.ts";
import type { Numbers } from "./checks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Watched = Pick<Jobs, "stores" | "settings" | "sources">;

/** How much there is of what grows: what waits, how far projections are behind, and bytes of the databases. */
export async function readLevels({ stores, settings, sources }: Watched): Promise<Numbers> {
  const { catalog, search, patrons } = stores;
  const now = sources.now();
  const [progress, { newest_dump: newestDump, ...ofCatalog }, ofPatrons, jobs, ...sizes] = await Promise.all([
    serviceProgress(stores, settings),
    readCatalogWaiting(catalog, datetimeText(now - HOUR_MS)),
    readPatronsWaiting(patrons),
    countDueJobs(notesOf(stores, settings), datetimeText(now)),
    ...[catalog, search, patrons].map(readDatabaseSize),
  ]);
  const [catalogBytes = 0, searchBytes = 0, patronsBytes = 0] = sizes;
  const behind = Object.entries(progress.projections).map(([name, at]) => [`behind_${name}`, at.behind]);
  const dump = newestDump === null ? {} : { dump_days: (now - Date.parse(newestDump)) / DAY_MS };
  return {
    ...ofCatalog,
    ...dump,
    ...ofPatrons,
    index_jobs: jobs,
    ...Object.fromEntries(behind),
    catalog_bytes: catalogBytes,
    search_bytes: searchBytes,
    patrons_bytes: patronsBytes,
  };
}

/** Writes the levels as data points: the sweep does it every five minutes. */
export async function noteLevels(watched: Watched): Promise<void> {
  const { metrics } = watched.stores;
  if (metrics === undefined) return;
  for (const [name, value] of Object.entries(await readLevels(watched))) {
    writePoint(metrics, "level", [[name], [value]]);
  }
}
