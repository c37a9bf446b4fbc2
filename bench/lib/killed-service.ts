import { bootstrapLines } from "../../scripts/lib/bootstrap.ts";
import { sendLines } from "../../scripts/lib/load-client.ts";
import { knownToken } from "../../scripts/lib/local-state.ts";
import { call } from "../../scripts/lib/service.ts";
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

  /** Kills the runtime alone, which the process that started it starts again. */
  killRuntime() {
    this.#process?.killRuntime();
  }

  async target() {
    return { url: this.url, token: (await knownToken(this.state)) ?? "", fetch };
  }

  /** Compares all works of the index with their records. Throws if one differs. */
  async checkIndex() {
    const target = await this.target();
    for (let after = 0; ;) {
      const part: { position: number; repaired: string[]; stray: string[] } = await call(
        target,
        "/system/index-check",
        { method: "POST", json: { after } },
      );
      const drift = [...part.repaired, ...part.stray];
      if (drift.length > 0) throw new Error(`works that differ from their records: ${drift.join(" ")}`);
      if (part.position === 0) return;
      after = part.position;
    }
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
