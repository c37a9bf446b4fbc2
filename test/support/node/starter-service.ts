import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { hasBrowser } from "../../../scripts/lib/browser.ts";
import { HOST } from "../../../scripts/lib/runtime.ts";
import { ServiceProcess, freePorts } from "../../../scripts/lib/service-process.ts";
import { noteReadiness } from "./readiness.ts";
import { reportSkip } from "./skips.ts";

const READY_SECONDS = 180;

declare module "vitest" {
  interface ProvidedContext {
    /** Base URL of a service with the starter catalog; empty where there is no browser to look at it. */
    site: string;
  }
}

/** Starts the service with the starter catalog on free ports, for the tests that look at it in a browser. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasBrowser) {
    reportSkip("chromium");
    project.provide("site", "");
    project.provide("readiness", "");
    return undefined;
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-browser-"));
  const [port = 0, ...others] = await freePorts(4);
  const flags = ["record-store", "search", "cover-store"].flatMap((name, at) => [
    `--${name}-port`,
    String(others[at]),
  ]);
  const args = ["scripts/start.ts", "--port", String(port), ...flags, "--state", path.join(folder, "state")];
  const service = new ServiceProcess(process.execPath, args);
  project.provide("site", `http://${HOST}:${port}`);
  const noted = noteReadiness(project, path.join(folder, "ready"), service.ready(READY_SECONDS));
  return async () => {
    await noted;
    await service.stop("SIGTERM").finally(() => service.kill());
  };
}
