import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** File that appears when the project's service is ready, or could not be started. Empty if there is no service. */
    readiness: string;
  }
}

const READY = "ready";
const WAIT_MS = 50;

/** Lets tests of other projects run while a service starts: those of this project wait in `await-service.ts`. */
export async function noteReadiness(
  project: TestProject,
  file: string,
  starting: Promise<unknown>,
): Promise<void> {
  project.provide("readiness", file);
  const state = await starting.then(
    () => READY,
    (error: unknown) => String(error),
  );
  await writeFile(`${file}.new`, state);
  await rename(`${file}.new`, file);
}

/** Waits until a service is ready. Throws what it failed to start with. */
export async function awaitReadiness(file: string): Promise<void> {
  if (file === "") return;
  for (;;) {
    const state = await readFile(file, "utf8").catch(() => undefined);
    if (state === READY) return;
    if (state !== undefined) throw new Error(state);
    await sleep(WAIT_MS);
  }
}
