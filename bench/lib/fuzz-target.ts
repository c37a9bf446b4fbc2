import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sendLines } from "../../scripts/lib/load-client.ts";
import { knownToken, localSecret } from "../../scripts/lib/local-state.ts";
import { ServiceProcess, listGroup } from "../../scripts/lib/service-process.ts";
import { hostileLines } from "./hostile-records.ts";

const READY_SECONDS = 120;
/** Resident memory that workerd must stay below at any time, in MiB. */
const MEMORY_MAX_MIB = 600;
const MEMORY_EVERY_MS = 500;
/** No rate limit, and every optional feature configured, so that requests reach the code behind them. */
const SETTINGS = {
  RATE_LIMIT_PER_MINUTE: "60000000",
  LINK_SECRET: "secret-of-the-scanners-of-the-fuzz",
  LENDING_SECRET: "secret-of-the-lending-of-the-fuzz",
  ANONYMIZE_SECRET: "secret-of-the-removals-of-the-fuzz",
};
/** Secrets that no response may contain. */
export const FUZZ_SECRETS = [SETTINGS.LINK_SECRET, SETTINGS.LENDING_SECRET, SETTINGS.ANONYMIZE_SECRET];

/** A running service with the addresses of its listeners. */
export interface FuzzTarget {
  addresses: { main: string; record: string; search: string; cover: string };
  token: string;
  coversSecret: string;
  service: ServiceProcess;
}

/** Starts a service with the starter catalog and hostile records, and samples the memory of workerd meanwhile. */
export async function withFuzzTarget(attack: (target: FuzzTarget) => Promise<void>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-fuzz-"));
  const service = ServiceProcess.start(["--state", folder], SETTINGS);
  let peak = 0;
  const sampler = setInterval(() => (peak = Math.max(peak, workerdMib(service.pid))), MEMORY_EVERY_MS);
  try {
    const addresses = {
      main: await service.ready(READY_SECONDS),
      record: service.url("record store"),
      search: service.url("search engine"),
      cover: service.url("cover store"),
    };
    const token = (await knownToken(folder)) ?? "";
    const coversSecret = await localSecret(folder, "covers-secret");
    await sendLines(hostileLines(), { url: addresses.main, token, fetch });
    await attack({ addresses, token, coversSecret, service });
    console.log(`memory of workerd: ${peak} MiB at most (limit ${MEMORY_MAX_MIB})`);
    if (peak > MEMORY_MAX_MIB) process.exitCode = 1;
  } finally {
    clearInterval(sampler);
    service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resident memory in MiB of workerd in a process group; 0 while it is not running. */
function workerdMib(group: number | undefined) {
  const runtimes = listGroup(group ?? 0).filter(({ name }) => name === "workerd");
  const sizes = runtimes.map(({ residentBytes }) => residentBytes / 2 ** 20);
  return Math.round(Math.max(0, ...sizes));
}
