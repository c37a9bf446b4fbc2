import { advance, countTouched, readProgress } from "../../db/indexing/log.ts";
import { countRecords, planRanges, rangeStatements } from "../../db/indexing/ranges.ts";
import {
  type RebuildPlace,
  type IndexState,
  moveRebuild,
  holdRebuild,
  startRebuild,
  CLEARING,
  idleGenerationOf,
  readIndexState,
} from "../../db/indexing/index-state.ts";
import type { EngineName, KnownEntries } from "../../search/engine.ts";
import { makeIndex } from "./make-index.ts";
import { type Indexing, PROJECTIONS, isRebuildShorter, timeFromNow } from "./indexing.ts";
import { BREATH_MS, PHASES, onceAtLeast } from "./rebuild-steps.ts";

const NAMES = Object.keys(PHASES);

/**
 * Starts to rebuild the index from the records into the idle generation. Changes from here on are written to both
 * generations, with a separate cursor; the records include all earlier ones.
 */
export async function beginRebuild(indexing: Indexing): Promise<void> {
  const { catalog, search } = indexing;
  const { phase } = await readIndexState(search);
  // A running rebuild keeps its cursor: earlier changes may be missing from the generation in use.
  if (phase === null) {
    await advance(catalog, PROJECTIONS[search.engine].rebuild, await firstChange(indexing));
  }
  const { works, editions, authors: people, lists: listings } = await countRecords(catalog);
  const total = works + editions + people + listings;
  const started = timeFromNow(indexing);
  const ranges = rangeStatements(search, await planRanges(catalog), started);
  await startRebuild(search, { phase: CLEARING, total, started }, ranges);
}

/**
 * Returns the start of the rebuild's cursor: the usual cursor, so that the generation in use misses nothing meanwhile; or
 * the end of the log if following it would take as long as the rebuild.
 */
async function firstChange(indexing: Indexing): Promise<number> {
  const { cursor, end } = await readProgress(indexing.catalog, PROJECTIONS[indexing.search.engine].log);
  const behind = await countTouched(indexing.catalog, cursor);
  return (await isRebuildShorter(indexing, behind)) ? end : cursor;
}

/**
 * Continues the running rebuild, if any, for some milliseconds, and at least to its next position. `hold` is the time in
 * milliseconds for which the caller drives it from then on.
 */
export async function rebuildStep(indexing: Indexing, milliseconds: number, hold = 0): Promise<IndexState> {
  const deadline = indexing.now() + milliseconds;
  const isOver = onceAtLeast(() => indexing.now() >= deadline);
  for (;;) {
    const state = await readIndexState(indexing.search);
    if (state.phase === null) return state;
    if (isOver() || !(await runPhase(indexing, state, deadline))) {
      return holdRebuild(indexing.search, timeFromNow(indexing, hold));
    }
  }
}

/** Time after a call of a command for which its rebuild is left to it, in milliseconds. */
export const COMMAND_HOLD_MS = 10_000;

/** Duration of a call of a rebuild that no command drives, in milliseconds. Changes of the log wait for it. */
const RESUME_MS = 1000;

/** Continues a rebuild unless a command drives it. Returns true if there is more to do. */
export async function resumeRebuild(
  indexing: Indexing,
  { held }: Pick<IndexState, "held">,
): Promise<boolean> {
  return held <= timeFromNow(indexing) && (await rebuildStep(indexing, RESUME_MS)).phase !== null;
}

/** Entries that this isolate has written in a rebuild, because they recur on every page. */
let writtenEntries = { rebuild: "", entries: emptyEntries(null) };

function emptyEntries(started: string | null): KnownEntries {
  return { started, words: new Set(), codes: new Map() };
}

function knownEntriesOf(engine: EngineName, { started, phase }: IndexState): KnownEntries {
  const rebuild = `${engine} ${started}`;
  if (rebuild !== writtenEntries.rebuild || phase === CLEARING)
    writtenEntries = { rebuild, entries: emptyEntries(started) };
  return writtenEntries.entries;
}

async function runPhase(indexing: Indexing, state: IndexState, deadline: number): Promise<boolean> {
  const { search, now } = indexing;
  const phase = PHASES[state.phase ?? ""];
  if (phase === undefined) throw new Error(`no step ${state.phase} in a rebuild`);
  let current: IndexState = state;
  const moveTo = async (to: RebuildPlace): Promise<void> => {
    await moveRebuild(search, current, to);
    current = { ...current, phase: to.phase, position: to.position };
  };
  const isDone = await phase({
    indexing,
    state,
    index: makeIndex(indexing, {
      generations: [idleGenerationOf(state)],
      // The sums of authors must not overwrite those of changes meanwhile.
      aggregates: state.phase === "authors",
      known: knownEntriesOf(search.engine, state),
    }),
    isOver: onceAtLeast((milliseconds = 0) => now() + milliseconds >= deadline),
    move: async (position, records) => {
      await moveTo({ phase: current.phase, position, records });
      await scheduler.wait(BREATH_MS);
    },
  });
  if (!isDone) return false;
  // The swap changes the state itself, in the same transaction.
  if (state.phase !== "swap") await moveTo({ phase: nextPhase(state.phase), position: 0, records: 0 });
  return true;
}

function nextPhase(phase: string | null): string | null {
  return NAMES[NAMES.indexOf(phase ?? "") + 1] ?? null;
}
