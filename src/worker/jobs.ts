import { continueVisibilities } from "./accounts/follow.ts";
import { coverQueue, continueCovers } from "./covers/jobs.ts";
import { continueCoverRemovals } from "./covers/remove.ts";
import { dumpQueue } from "./dumps/jobs.ts";
import { sweepDumps } from "./dumps/schedule.ts";
import { followMerges, followMergesIn } from "./editing/list-merges.ts";
import { continueMerges } from "./editing/merge.ts";
import { sweepFollow } from "./follow/follow-operations.ts";
import {
  type Jobs,
  type QueueConsumer,
  type SweepSteps,
  createQueueHandler,
  createSweepHandler,
} from "./http/queue.ts";
import { pruneClients } from "./oauth/clients.ts";
import { pruneAudit } from "./platform/audit.ts";
import { expireBatches } from "./imports/expire-batches.ts";
import { backfillRows, resumeImports } from "./imports/resume.ts";
import { importsQueue } from "./imports/jobs.ts";
import { continueLookups, lookupQueue } from "./imports/lookups.ts";
import { type Indexing, indexingsOf } from "./indexing/indexing.ts";
import { planMaintenance } from "./indexing/maintenance.ts";
import { changeQueue, sweepIndex } from "./indexing/refresh.ts";
import { checkNextCounts, followTrends } from "./patrons/activity/counts.ts";
import { activityQueue } from "./patrons/activity/projection.ts";
import { continueImports } from "./patrons/data/own-import-job.ts";
import { continueMoves, followRedirects, followRedirectsIn } from "./patrons/data/move-works.ts";
import { continueRemovals } from "./patrons/data/removal-job.ts";
import { patronJobQueue } from "./patrons/jobs.ts";
import { walkLanguages } from "./records/languages.ts";
import { retryDeadLetters, storeDeadLetters } from "./operations/dead-letters.ts";
import { recordLevels } from "./operations/health.ts";

export const QUEUES: readonly QueueConsumer[] = [
  changeQueue([followRedirectsIn, followMergesIn]),
  lookupQueue,
  activityQueue,
  patronJobQueue,
  importsQueue,
  coverQueue,
  dumpQueue,
];

/** Scheduled tasks: every projection catches up with the log and every job resumes, even if messages were lost. */
const SWEEP: SweepSteps = {
  maintenance: forEachIndex(planMaintenance),
  index: sweepIndex,
  trends: ({ stores, settings, sources, budget }) =>
    followTrends(indexingsOf(stores, settings, sources), budget),
  counts: ({ stores }) => checkNextCounts(stores.patrons),
  merges: continueMerges,
  listMerges: (jobs) => followMerges({}, jobs),
  redirects: followRedirects,
  moves: continueMoves,
  visibilities: continueVisibilities,
  removals: continueRemovals,
  imports: continueImports,
  covers: continueCovers,
  dumps: sweepDumps,
  coverRemovals: continueCoverRemovals,
  importQueue: resumeImports,
  lookups: continueLookups,
  expiredBatches: expireBatches,
  rows: backfillRows,
  languages: walkLanguages,
  deadLetters: retryDeadLetters,
  audit: pruneAudit,
  clients: pruneClients,
  levels: recordLevels,
  follow: sweepFollow,
};

export const handleBatch = createQueueHandler(QUEUES, storeDeadLetters);
export const sweep = createSweepHandler(SWEEP);

/** Runs a step for the active index, and then for the shadow index. */
function forEachIndex(step: (indexing: Indexing) => Promise<unknown>) {
  return async ({ stores, settings, sources }: Jobs) => {
    for (const indexing of indexingsOf(stores, settings, sources)) await step(indexing);
  };
}
