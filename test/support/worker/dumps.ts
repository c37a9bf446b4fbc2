import { gunzipSync } from "node:zlib";
import { env } from "cloudflare:workers";
import { type DumpRow, readDump } from "../../../src/db/dumps/read-dumps.ts";
import { type DumpMessage, beginFull } from "../../../src/worker/dumps/schedule.ts";
import { type DumpLimits, DUMP_LIMITS } from "../../../src/worker/dumps/dump-step.ts";
import { runDump } from "../../../src/worker/dumps/jobs.ts";
import type { BudgetedJobs } from "../../../src/worker/http/queue.ts";
import { OPERATOR, jobsOf } from "./import-queue.ts";
import type { TestService } from "./service.ts";

/** Dumps whose messages wait until the test delivers them. */
export interface Dumping {
  readonly jobs: BudgetedJobs;
  /** Messages on their way. */
  readonly sent: DumpMessage[];
  /** Delivers the next message. */
  step(): Promise<void>;
  /** Delivers messages until there are no more. Each does as many steps as it may. */
  run(): Promise<void>;
}

interface DumpingOptions {
  readonly settings?: Partial<Cloudflare.Env>;
  /** Bounds that are lower than those of a deployed service. */
  readonly limits?: Partial<DumpLimits>;
  /** False: a message does as many steps as it may in `step` too. By default its budget is over after one. */
  readonly singleSteps?: boolean;
}

/** Holds back the messages of dumps until the test delivers them. */
export function dumping(
  service: TestService,
  { settings = {}, limits = {}, singleSteps = true }: DumpingOptions = {},
): Dumping {
  const own = jobsOf(service, settings);
  const sent: DumpMessage[] = [];
  const send = (message: DumpMessage): Promise<void> => {
    sent.push(message);
    return Promise.resolve();
  };
  // The queue of dumps is replaced; all other bindings stay.
  const dumpJobs = { send } as unknown as Queue;
  let isSingle = singleSteps;
  const budget = { used: 0, isOver: () => isSingle };
  const jobs = { ...own, stores: { ...own.stores, dumpJobs }, budget };
  const step = async (): Promise<void> => {
    const next = sent.shift();
    if (next !== undefined) await runDump(next, jobs, { ...DUMP_LIMITS, ...limits });
  };
  const run = async (): Promise<void> => {
    isSingle = false;
    try {
      while (sent.length > 0) await step();
    } finally {
      isSingle = singleSteps;
    }
  };
  return { jobs, sent, step, run };
}

/** The dump of a kind and a day; fails when there is none. */
export async function dumpOf(kind: DumpRow["kind"], date: string): Promise<DumpRow> {
  const found = await readDump(env.CATALOG, kind, date);
  if (found === undefined) throw new Error(`no ${kind} of ${date}`);
  return found;
}

/** Calls an operator's route. */
export async function operate(service: TestService, path: string, body?: unknown): Promise<unknown> {
  const sending = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { ...OPERATOR, "Content-Type": "application/json" };
  const response = await service.fetch(path, { ...sending, headers });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Bytes of a file as everybody can download it. */
export async function downloaded(service: TestService, name: string): Promise<Uint8Array> {
  const response = await service.fetch(`/data/${name}`);
  if (response.status !== 200) throw new Error(`${name}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Lines of a file, without their ends. */
export async function linesOfFile(service: TestService, name: string): Promise<string[]> {
  const text = new TextDecoder().decode(gunzipSync(await downloaded(service, name)));
  if (text !== "" && !text.endsWith("\n")) throw new Error(`${name}: the last line has no end`);
  return text.split("\n").slice(0, -1);
}

interface Listed {
  dumps: {
    kind: string;
    date: string;
    files: { name: string; bytes: number; lines: number; sha256: string }[];
  }[];
}

/** Checksums of the files of the newest dump of a kind, by their names without date and `txt.gz`. */
export async function checksums(
  service: TestService,
  kind: DumpRow["kind"] = "full",
): Promise<Record<string, string>> {
  const { dumps } = (await service.json("/data.json")) as Listed;
  const files = dumps.find((dump) => dump.kind === kind)?.files ?? [];
  return Object.fromEntries(
    files.map(({ name, sha256 }) => [name.replace(/_\d{4}-\d\d-\d\d(?:\.txt\.gz)?/, ""), sha256]),
  );
}

/** Makes a dump of everything, from its beginning to its end. */
export async function dumpAll(service: TestService, limits: Partial<DumpLimits> = {}): Promise<DumpRow> {
  const work = dumping(service, { limits });
  const { dump } = await beginFull(work.jobs);
  await work.run();
  return dumpOf("full", dump?.date ?? "");
}
