import * as z from "zod";
import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import type { Section } from "../../catalog/dumps/dump-files.ts";
import { ratingLine, readingLogLine } from "../../catalog/dumps/dump-lines.ts";
import {
  type DumpPage,
  type DumpWish,
  DUMP_START,
  readLoggedRows,
  readRatedRows,
} from "../../db/dumps/read-activity.ts";
import type { Database } from "../../db/statement.ts";
import { Chunk } from "./chunk.ts";
import { type DumpWork, type StageStep, workObject } from "./step.ts";

/** Rows of shelves or ratings that are packed together: fewer when these lie among so many others; twice as many at most. */
const ACTIVITY_ROWS = 10_000;
const ACTIVITY_PAGES = 10;

const positionSchema = z.object({
  after: z.object({ work: z.int(), patron: z.string() }).default(DUMP_START),
});

/** A file of what patrons do, without anybody's name. */
interface ActivityFile<Row> {
  readonly section: Section;
  read(patrons: Database, wish: DumpWish): Promise<DumpPage<Row>>;
  line(row: Row, prefix: string): string;
}

/** Packs a part of all ratings. */
export const readRatings = activityStage({ section: "ratings", read: readRatedRows, line: ratingLine });
/** Packs a part of all shelves. */
export const readReadingLog = activityStage({
  section: "reading-log",
  read: readLoggedRows,
  line: readingLogLine,
});

function activityStage<Row>({ section, read, line }: ActivityFile<Row>) {
  return async (work: DumpWork, position: unknown): Promise<StageStep> => {
    const { stores, settings, dump, limits } = work;
    let { after } = positionSchema.parse(position);
    const until = datetimeMilliseconds(dump.begun);
    const found: Row[] = [];
    let isOver = false;
    for (let pages = 0; pages < ACTIVITY_PAGES && found.length < ACTIVITY_ROWS && !isOver; pages += 1) {
      const page = await read(stores.patrons, { after, until, limit: ACTIVITY_ROWS });
      found.push(...page.rows);
      isOver = page.next === null;
      after = page.next ?? after;
    }
    const chunk = new Chunk(limits);
    // Q423: in an order that has nothing to do with patrons.
    const lines = found.map((row) => `${line(row, settings.RECORD_PREFIX)}\n`).toSorted();
    for (const one of lines) chunk.add(section, one);
    const members = await chunk.store(stores.archive, workObject(work));
    return { position: isOver ? null : { after }, members };
  };
}
