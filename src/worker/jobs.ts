import { continueCovers } from "./covers/queue-cover.ts";
import { coverQueue } from "./covers/jobs.ts";
import { continueCoverRemovals } from "./covers/remove.ts";
import { dumpQueue } from "./dumps/jobs.ts";
import { sweepDumps } from "./dumps/sweep.ts";
import { sweepFollow } from "./follow/operations.ts";
import { continueMerges } from "./editing/merge-sweep.ts";
import type { Jobs, QueueReader } from "./http/queue.ts";
import type { SweepSteps } from "./http/sweep.ts";
import { sweepAudit } from "./platform/audit.ts";
import { backfillRows, resumeImports } from "./imports/resume.ts";
import { importsQueue } from "./imports/jobs.ts";
import { lookupQueue } from "./imports/lookups.ts";
import { type Indexing, indexingsOf } from "./indexing/indexing.ts";
import { planMaintenance } from "./indexing/maintenance.ts";
import { finishSwapped } from "./indexing/rebuild.ts";
import { changeQueue, refreshAnswers, refreshIndex, sweepIndex } from "./indexing/refresh.ts";
import { checkNextCounts } from "./patrons/activity/counts.ts";
import { activityQueue } from "./patrons/activity/store-activity.ts";
import { followTrends } from "./patrons/activity/trends.ts";
import { continueImports } from "./patrons/data/goodreads-import.ts";
import { continueMoves, followRedirects } from "./patrons/data/move-works.ts";
import { continueRemovals } from "./patrons/data/removal-job.ts";
import { patronJobQueue } from "./patrons/jobs.ts";
import { walkLanguages } from "./records/language-counts.ts";
import { sweepLetters } from "./service/dead-letters.ts";
import { noteLevels } from "./service/levels.ts";

/** Who reads which queue. */
export const QUEUES: readonly QueueReader[] = [
  changeQueue([refreshAnswers, refreshIndex, followRedirects]),
  lookupQueue,
  activityQueue,
  patronJobQueue,
  importsQueue,
  coverQueue,
  dumpQueue,
];

/** The sweep: every projection catches up with the log, and every job is gone on with, whatever messages were lost. */
export const SWEEP: SweepSteps = {
  answers: refreshAnswers,
  swapped: indexer(finishSwapped),
  maintenance: indexer(planMaintenance),
  index: sweepIndex,
  trends: ({ stores, settings, sources }) => followTrends(indexingsOf(stores, settings, sources)),
  counts: ({ stores }) => checkNextCounts(stores.patrons),
  merges: continueMerges,
  redirects: followRedirects,
  moves: continueMoves,
  removals: continueRemovals,
  imports: continueImports,
  covers: continueCovers,
  dumps: sweepDumps,
  coverRemovals: continueCoverRemovals,
  importQueue: resumeImports,
  rows: backfillRows,
  languages: walkLanguages,
  deadLetters: sweepLetters,
  audit: sweepAudit,
  levels: noteLevels,
  follow: sweepFollow,
};

/** A step for the index that answers, and then for the one in its shadow. */
function indexer(step: (indexing: Indexing) => Promise<unknown>) {
  return async ({ stores, settings, sources }: Jobs) => {
    for (const indexing of indexingsOf(stores, settings, sources)) await step(indexing);
  };
}
