import { datetimeText } from "../../catalog/datetime.ts";
import { readCatalogWaiting, readPatronsWaiting } from "../../db/service/levels.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";
import { notesOf } from "../search/engine.ts";
import { writePoint } from "../http/metrics.ts";
import type { Jobs } from "../http/queue.ts";
import { serviceProgress } from "../platform/service-progress.ts";
import type { Numbers } from "./checks.ts";
import { databasesOf, readSize } from "./database-sizes.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Watched = Pick<Jobs, "stores" | "settings" | "sources">;

/** How much there is of what grows: what waits, how far projections are behind, and bytes of the databases. */
export async function readLevels({ stores, settings, sources }: Watched): Promise<Numbers> {
  const { catalog, patrons } = stores;
  const now = sources.now();
  const [progress, { newest_dump: newestDump, ...ofCatalog }, ofPatrons, jobs, sizes] = await Promise.all([
    serviceProgress(stores, settings),
    readCatalogWaiting(catalog, datetimeText(now - HOUR_MS)),
    readPatronsWaiting(patrons),
    countDueJobs(notesOf(stores, settings), datetimeText(now)),
    Promise.all(
      Object.entries(databasesOf(stores, settings)).map(async ([name, one]) =>
        Object.entries(await readSize(one)).map(([what, size]) => [`${name}_${what}`, size] as const),
      ),
    ),
  ]);
  const behind = Object.entries(progress.projections).map(([name, at]) => [`behind_${name}`, at.behind]);
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

/** Writes the levels as data points: the sweep does it every five minutes. */
export async function noteLevels(watched: Watched): Promise<void> {
  const { metrics } = watched.stores;
  if (metrics === undefined) return;
  for (const [name, value] of Object.entries(await readLevels(watched))) {
    writePoint(metrics, "level", [[name], [value]]);
  }
}
