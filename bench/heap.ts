// Runs the heaviest operations with a heap of V8 as large as that of an isolate on Cloudflare, and prints what each takes:
// `npm run bench -- heap [--only REGEXP]`.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { knownToken } from "../scripts/lib/local-state.ts";
import { ServiceProcess } from "../scripts/lib/service-process.ts";
import { settle } from "./lib/client.ts";
import { COVERS_SECRET, HEAVY, type HeavySizes, heavyService } from "./lib/heavy-operations.ts";

const READY_SECONDS = 180;
/** V8's heap of each isolate in MB, and lines of the log that say how much an isolate used before and after a collection. */
const HEAP_MB = 128;
const FLAGS = `--max-old-space-size=${HEAP_MB} --optimize-for-size --heap-growing-percent=10 --trace-gc`;
const COLLECTION = /: (Scavenge|Mark-Compact).*? ([\d.]+) \([\d.]+\) -> ([\d.]+) \([\d.]+\) MB/g;
const CRASH = "The Workers runtime crashed unexpectedly";
const CRASH_NOTED_MS = 2000;

interface HeapUse {
  readonly name: string;
  readonly seconds: number;
  /** Largest heap of an isolate in MB before a collection, and after a full one. */
  readonly most: number;
  readonly live: number;
}

/** Runs the operations. Throws if one kills an isolate, or has a wrong outcome. */
export async function measureHeap(
  sizes: HeavySizes,
  { only = /^/, onDone = () => {} }: { only?: RegExp; onDone?: (use: HeapUse) => void } = {},
): Promise<HeapUse[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-heap-"));
  const service = ServiceProcess.start(["--empty", "--state", folder], {
    COVERS_SECRET,
    MINIFLARE_WORKERD_V8_FLAGS: FLAGS,
  });
  try {
    const url = await service.ready(READY_SECONDS);
    const target = { url, token: (await knownToken(folder)) ?? "", fetch };
    const heavy = await heavyService(target, service.url("cover store"), sizes);
    const uses: HeapUse[] = [];
    for (const [name, run] of HEAVY.filter(([one]) => one === "load" || only.test(one))) {
      const [begun, started] = [service.log.length, performance.now()];
      const failure: unknown = await run(heavy).then(
        () => settle(url),
        (error: unknown) => error,
      );
      // The runtime is restarted, and says so, some time after its connections were closed.
      if (failure !== undefined) await sleep(CRASH_NOTED_MS);
      if (service.log.includes(CRASH, begun)) throw new Error(`${name} kills the isolate`);
      if (failure !== undefined) throw failure;
      const use = {
        name,
        seconds: (performance.now() - started) / 1000,
        ...heapOf(service.log.slice(begun)),
      };
      uses.push(use);
      onDone(use);
    }
    return uses;
  } finally {
    service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

function heapOf(log: string) {
  let [most, live] = [0, 0];
  for (const [, kind, before, after] of log.matchAll(COLLECTION)) {
    most = Math.max(most, Number(before));
    if (kind === "Mark-Compact") live = Math.max(live, Number(after));
  }
  return { most, live };
}

export async function benchHeap({ sizes, only }: { sizes: HeavySizes; only: RegExp }) {
  console.log("operation\tseconds\tMB\tMB after a full collection");
  await measureHeap(sizes, {
    only,
    onDone: ({ name, seconds, most, live }) =>
      console.log([name, ...[seconds, most, live].map(Math.round)].join("\t")),
  });
}
