import { mkdtemp, readFile, readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

/** Megabytes of a service with the starter catalog: 560 measured, 1,300 with a bundler that stays. */
const RESIDENT_MAX = 800;
const READY_SECONDS = 180;

let service: ServiceProcess | undefined;
afterAll(() => service?.kill());

/** Returns name and resident megabytes of the processes of a group. */
async function processesOf(group: number): Promise<{ name: string; megabytes: number }[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = ids.map(async (id) => {
    const [stat, status] = await Promise.all(
      ["stat", "status"].map((file) => readFile(`/proc/${id}/${file}`, "utf8").catch(() => "")),
    );
    const [, , groupOf] = (stat ?? "").replace(/^.*\) /s, "").split(" ");
    const [, name = ""] = /^Name:\s*(\S+)/m.exec(status ?? "") ?? [];
    const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(status ?? "") ?? [];
    return Number(groupOf) === group ? [{ name, megabytes: Number(kilobytes) / 1024 }] : [];
  });
  return (await Promise.all(found)).flat();
}

it.runIf(process.platform === "linux")(
  "a started service keeps Node and the runtime, and no bundler",
  { timeout: READY_SECONDS * 1000 },
  async () => {
    const state = await mkdtemp(path.join(os.tmpdir(), "carrel-memory-"));
    service = ServiceProcess.start(["--state", state]);
    await service.ready(READY_SECONDS);
    const processes = await processesOf(service.pid ?? 0);
    expect(processes.map(({ name }) => name).toSorted()).toEqual([
      expect.stringMatching(/^(?:node|Main)/),
      "workerd",
    ]);
    expect(processes.reduce((sum, { megabytes }) => sum + megabytes, 0)).toBeLessThan(RESIDENT_MAX);
  },
);
