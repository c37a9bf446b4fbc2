import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { ISOLATE_CACHE_BYTES } from "../../answers/isolate-cache.ts";
import { shown } from "../../admin/done.ts";
import { isolateStarted } from "../../health/isolate.ts";
import { countedAnswers } from "../../metrics/counters.ts";
import { operation } from "../../operation.ts";
import { memoryPage } from "../../pages/operations/debug-pages.ts";

const counts = z.record(z.string(), z.int());
const schema = z.object({
  started: z.string().describe("When this isolate was first asked, naive UTC"),
  seconds: z.number().describe("Seconds since then"),
  cache: z.object({
    answers: z.int().describe("Answers that are kept"),
    bytes: z.int().describe("Bytes that they take"),
    bytes_max: z.int(),
    writes: z.int().describe("Records whose last write is remembered"),
  }),
  answers: z.object({ by_status: counts, by_source: counts }),
});

/** What an isolate knows of itself. */
export type IsolateMemory = z.infer<typeof schema>;

/** `GET /debug/memory[.json]`, `/memory`: what this isolate keeps, and what it has answered (Q461). */
export const debugMemory = operation({
  id: "debugMemory",
  summary: "What the isolate that answers keeps in memory",
  tag: "operation",
  responses: { 200: { description: "The isolate", schema, also: ["text/html"] } },
  handle(_input, context) {
    const { cache, sources } = context;
    const started = isolateStarted(sources);
    const memory: IsolateMemory = {
      started: datetimeText(started),
      seconds: (sources.now() - started) / 1000,
      cache: { ...cache.fill, bytes_max: ISOLATE_CACHE_BYTES },
      answers: countedAnswers(),
    };
    return shown(context, memory, memoryPage);
  },
});
