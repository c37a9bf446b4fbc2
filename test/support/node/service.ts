import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { HOST } from "../../../scripts/lib/runtime.ts";
import { newCatalog, startCatalogs } from "./postgres.ts";
import { ServiceProcess, freePorts } from "../../../scripts/lib/service-process.ts";
import { fixtureDump } from "./fixture.ts";
import { noteReadiness } from "./readiness.ts";
import type { Addresses } from "./reroute.ts";

const READY_SECONDS = 180;
const LOAD_TIMEOUT_MS = 60_000;

declare module "vitest" {
  interface ProvidedContext {
    /** Base URLs of the service under test, without a slash at the end. */
    carrel: Addresses & { recordStore: string; search: string };
  }
}

/** Starts the real service on free ports with a state of its own, and fills it with the fixture. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-test-"));
  const elsewhere = await startElsewhere();
  const [main = 0, recordStore = 0, search = 0, covers = 0] = await freePorts(4);
  const ports = { main, recordStore, search, covers };
  project.provide("carrel", {
    main: url(main),
    recordStore: url(recordStore),
    search: url(search),
    covers: url(covers),
    elsewhere: elsewhere.url,
  });
  const stops: (() => unknown)[] = [];
  const starting = start(project, { folder, ports, stops });
  const noted = noteReadiness(project, path.join(folder, "ready"), starting);
  return async () => {
    await noted;
    for (const stop of stops.toReversed()) await stop();
    elsewhere.server.close();
    elsewhere.server.closeAllConnections();
  };
}

interface Starting {
  readonly folder: string;
  readonly ports: Ports;
  /** Takes what stops the started programs. */
  readonly stops: (() => unknown)[];
}

async function start(project: TestProject, { folder, ports, stops }: Starting): Promise<void> {
  const postgres = project.name.startsWith("postgres") ? await startCatalogs() : undefined;
  if (postgres !== undefined) stops.push(() => postgres.stop());
  const catalog = postgres && (await newCatalog(postgres.catalogs));
  const service = startService(path.join(folder, "state"), ports, catalog);
  stops.push(() => service.stop("SIGTERM").finally(() => service.kill()));
  await service.ready(READY_SECONDS);
  await loadFixture(folder, url(ports.main));
}

function url(port: number): string {
  return `http://${HOST}:${port}`;
}

type Ports = Record<"main" | "recordStore" | "search" | "covers", number>;

function startService(
  state: string,
  { main, recordStore, search, covers }: Ports,
  catalog: string | undefined,
): ServiceProcess {
  const flags = Object.entries({
    "--port": main,
    "--record-store-port": recordStore,
    "--search-port": search,
    "--cover-store-port": covers,
    "--state": state,
    ...(catalog !== undefined && { "--catalog": catalog }),
  }).flatMap(([name, value]) => [name, String(value)]);
  return new ServiceProcess(process.execPath, ["scripts/start.ts", "--empty", ...flags], {
    COVERS_PUBLIC_URL: url(covers),
  });
}

async function loadFixture(folder: string, address: string): Promise<void> {
  const file = path.join(folder, "fixture.txt");
  await writeFile(file, fixtureDump());
  const script = path.join(ROOT, "scripts/load.ts");
  const args = [script, file, "--url", address, "--state", path.join(folder, "state")];
  const options = { cwd: folder, timeout: LOAD_TIMEOUT_MS };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
  if (!/\b0 rejected/.test(stdout)) throw new Error(`The fixture was not loaded:\n${stdout}${stderr}`);
}

/** Stands for the other book services that clients ask first or last: one that never knows a book. */
async function startElsewhere(): Promise<{ server: http.Server; url: string }> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"totalItems":0}');
  });
  server.listen(0, HOST);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return { server, url: url(address.port) };
}
