import { advance, readProgress } from "../../db/indexing/cursor.ts";
import { countTouched } from "../../db/indexing/log.ts";
import { countRecords } from "../../db/indexing/pages.ts";
import { planRanges, rangeStatements } from "../../db/indexing/ranges.ts";
import {
  type EngineName,
  type IndexState,
  type RebuildPlace,
  CLEARING,
  idleGeneration,
  moveRebuild,
  readIndexState,
  startRebuild,
} from "../../db/search/generation.ts";
import type { KnownEntries } from "../../search/engine.ts";
import { indexOf } from "../search/engine.ts";
import { type Indexing, PROJECTIONS, isRebuildShorter, timeFromNow } from "./indexing.ts";
import { BREATH_MS, PHASES, onceAtLeast } from "./rebuild-steps.ts";

const NAMES = Object.keys(PHASES);

/**
 * Begins to rebuild the index from the records into the generation that does not answer. Changes that are yet to
 * be followed go to both generations by a cursor of their own; all others are in the records that are read.
 */
export async function beginRebuild(indexing: Indexing): Promise<void> {
  const { catalog, search } = indexing;
  const { phase } = await readIndexState(search);
  // One that is under way keeps its cursor: what lies before it may not be in the generation that answers.
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
 * Where the cursor of a rebuild begins: where the usual one stands, so that the generation that answers misses
 * nothing meanwhile; or at the end of the log where following it would be no shorter than the rebuild itself.
 */
async function firstChange(indexing: Indexing): Promise<number> {
  const { cursor, end } = await readProgress(indexing.catalog, PROJECTIONS[indexing.search.engine].log);
  const behind = await countTouched(indexing.catalog, cursor);
  return (await isRebuildShorter(indexing, behind)) ? end : cursor;
}

/**
 * Goes on with the rebuild under way, if there is one, for some milliseconds, and as far as its next place at least. Answers
 * where it stands then.
 */
export async function rebuildStep(indexing: Indexing, milliseconds: number): Promise<IndexState> {
  const deadline = indexing.now() + milliseconds;
  const isOver = onceAtLeast(() => indexing.now() >= deadline);
  for (;;) {
    const state = await readIndexState(indexing.search);
    if (state.phase === null || isOver()) return state;
    const isDone = await runPhase(indexing, state, deadline);
    if (!isDone) return readIndexState(indexing.search);
  }
}

/** Finishes a rebuild that broke off after its generation had begun to answer; leaves others to whoever began them. */
export async function finishSwapped(indexing: Indexing): Promise<void> {
  const state = await readIndexState(indexing.search);
  if (state.phase === "finish") await runPhase(indexing, state, Number.POSITIVE_INFINITY);
}

/** What this isolate has written in a rebuild of what comes again with every page. */
let known = { rebuild: "", entries: nothingKnown(null) };

function nothingKnown(started: string | null): KnownEntries {
  return { started, words: new Set(), codes: new Map() };
}

function knownIn(engine: EngineName, { started, phase }: IndexState): KnownEntries {
  const rebuild = `${engine} ${started}`;
  if (rebuild !== known.rebuild || phase === CLEARING) known = { rebuild, entries: nothingKnown(started) };
  return known.entries;
}

async function runPhase(indexing: Indexing, state: IndexState, deadline: number): Promise<boolean> {
  const { search, now } = indexing;
  const phase = PHASES[state.phase ?? ""];
  if (phase === undefined) throw new Error(`no step ${state.phase} in a rebuild`);
  let place: IndexState = state;
  const moveTo = async (to: RebuildPlace): Promise<void> => {
    await moveRebuild(search, place, to);
    place = { ...place, phase: to.phase, position: to.position };
  };
  const isDone = await phase({
    indexing,
    state,
    index: indexOf(indexing, {
      generations: [idleGeneration(state)],
      aggregates: false,
      known: knownIn(search.engine, state),
    }),
    isOver: onceAtLeast((milliseconds = 0) => now() + milliseconds >= deadline),
    move: async (position, records) => {
      await moveTo({ phase: place.phase, position, records });
      await scheduler.wait(BREATH_MS);
    },
  });
  if (!isDone) return false;
  // The last but one changes the state itself, because it swaps at the same time.
  if (state.phase !== "swap") await moveTo({ phase: nextPhase(state.phase), position: 0, records: 0 });
  return true;
}

function nextPhase(phase: string | null): string | null {
  return NAMES[NAMES.indexOf(phase ?? "") + 1] ?? null;
}
