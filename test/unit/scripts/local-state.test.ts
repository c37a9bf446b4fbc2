import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  addressOf,
  knownToken,
  localSecret,
  lockState,
  writeWhole,
} from "../../../scripts/lib/local-state.ts";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { targetOf } from "../../../scripts/lib/service.ts";

let state = "";
const started: ChildProcess[] = [];
beforeEach(async () => {
  state = await mkdtemp(path.join(os.tmpdir(), "carrel-state-test-"));
});
afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")));

/** Starts Node with a program, and waits until it prints something. */
async function startNode(program: string, ...args: string[]): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, ...args]);
  started.push(child);
  const [said] = await once(child.stdout, "data");
  return { child, said: String(said).trim() };
}

const WAIT = "setInterval(() => {}, 1000)";

describe("secrets", () => {
  it("are made once, completely, and readable by their owner only", async () => {
    const secret = await localSecret(state, "load-token");
    expect(await localSecret(state, "load-token")).toBe(secret);
    expect(await knownToken(state)).toBe(secret);
    expect(await readdir(state)).toEqual(["load-token"]);
  });

  it("keep the old file when writing fails", async () => {
    await writeFile(path.join(state, "load-token"), "old");
    await mkdir(path.join(state, `load-token.${process.pid}.new`));
    await expect(writeWhole(path.join(state, "load-token"), "new")).rejects.toThrow("EISDIR");
    expect(await readFile(path.join(state, "load-token"), "utf8")).toBe("old");
  });
});

describe.runIf(process.platform === "linux")("the lock of a state", () => {
  it("refuses a second process until the first one ends", async () => {
    const lock = `import { lockState } from ${JSON.stringify(path.join(ROOT, "scripts/lib/local-state.ts"))};
      await lockState(${JSON.stringify(state)}, "http://127.0.0.1:4711"); console.log("locked"); ${WAIT}`;
    expect(await addressOf(state)).toBe(undefined);
    const { child } = await startNode(lock);
    expect(await targetOf({ state, token: "t" })).toMatchObject({ url: "http://127.0.0.1:4711" });
    await expect(lockState(state)).rejects.toThrow(`${state} is in use by process ${child.pid}.`);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect(targetOf({ state, token: "t" })).rejects.toThrow(`No service runs with the state ${state}.`);
    const unlock = await lockState(state);
    expect(await readFile(path.join(state, "carrel.pid"), "utf8")).toBe(String(process.pid));
    await unlock();
    expect(await readdir(state)).toEqual([]);
  });

  it("is free when another Node program has the number of its process", async () => {
    const { child } = await startNode(`console.log("here"); ${WAIT}`, "scripts/start.ts");
    await writeFile(path.join(state, "carrel.pid"), String(child.pid));
    const unlock = await lockState(state);
    await unlock();
    expect(child.exitCode).toBe(null);
  });

  it("ends only the runtime that a killed service has left", async () => {
    const runtime = path.join(state, "workerd");
    await copyFile(process.execPath, runtime);
    await mkdir(path.join(state, "d1"));
    const orphan = await orphanedRuntime(runtime, path.join(state, "d1/catalog.sqlite"));
    const elsewhere = await orphanedRuntime(runtime, path.join(os.tmpdir(), "elsewhere.sqlite"));
    const unlock = await lockState(state);
    await unlock();
    expect(await isAlive(orphan)).toBe(false);
    expect(await isAlive(elsewhere)).toBe(true);
    process.kill(elsewhere, "SIGKILL");
  });
});

/** A program called `workerd` that has a file open, and whose parent has ended. */
async function orphanedRuntime(program: string, file: string): Promise<number> {
  const own = `require("fs").openSync(${JSON.stringify(file)}, "a"); console.log(process.pid); ${WAIT}`;
  const parent = `import { spawn } from "node:child_process";
    spawn(${JSON.stringify(program)}, ["-e", ${JSON.stringify(own)}], { stdio: ["ignore", "inherit", "ignore"], detached: true });`;
  const { child, said } = await startNode(parent);
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return Number(said);
}

/** Returns false for zombies, too. */
async function isAlive(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")) !== "";
}
