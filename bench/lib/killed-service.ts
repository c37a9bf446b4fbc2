import { bootstrapLines } from "../../scripts/lib/bootstrap.ts";
import { sendLines } from "../../scripts/lib/load-client.ts";
import { knownToken } from "../../scripts/lib/local-state.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { catalogLines, dumpLine } from "./catalog.ts";

const READY_SECONDS = 60;

/** A service on a state folder that is killed and started again. `catalog`: URL of the PostgreSQL with its catalog. */
export class KilledService {
  readonly state;
  url = "";
  #catalog;
  #process: ServiceProcess | undefined;

  constructor(state: string, catalog?: string) {
    this.state = state;
    this.#catalog = catalog;
  }

  /** Starts the service on free ports. */
  async start() {
    const catalog = this.#catalog === undefined ? [] : ["--catalog", this.#catalog];
    this.#process = ServiceProcess.start(["--empty", "--state", this.state, ...catalog]);
    this.url = await this.#process.ready(READY_SECONDS);
  }

  kill() {
    this.#process?.kill();
  }

  /** Loads the system records and a small catalog, with one copy of each scan to lend. */
  async loadCatalog({ works, scans = [] }: { works: number; scans?: readonly string[] }) {
    const token = (await knownToken(this.state)) ?? "";
    const target = { url: this.url, token, fetch };
    await sendLines(bootstrapLines({ development: true }), target);
    await sendLines(catalogLines(works), target);
    if (scans.length === 0) return;
    await sendLines(scans.map(scanLine), target);
    const response = await fetch(`${this.url}/system/holdings`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: scans.map((ocaid) => JSON.stringify({ ocaid, collections: ["inlibrary"] })).join("\n"),
    });
    if (!response.ok) throw new Error(`holdings: ${response.status} ${await response.text()}`);
  }
}

function scanLine(ocaid: string, index: number) {
  const members = { title: `Scan ${index}`, works: [{ key: "/works/OL1W" }], ocaid };
  return dumpLine("edition", `/books/OL${900_000 + index}M`, members);
}
