import { bootstrapLines } from "../../scripts/lib/bootstrap.mjs";
import { sendLines } from "../../scripts/lib/load-client.mjs";
import { HOST } from "../../scripts/lib/runtime.mjs";
import { ServiceProcess, freePorts } from "../../scripts/lib/service-process.mjs";
import { knownToken } from "../../scripts/lib/local-state.mjs";
import { catalogLines } from "./catalog.mjs";

const READY_SECONDS = 60;

/**
 * Starts the service on a state, as a process that can be killed.
 * @param {string} state
 * @param {string} [catalog] address of the PostgreSQL with its catalog
 */
export async function start(state, catalog) {
  const [main = 0, store = 0, search = 0, covers = 0] = await freePorts(4);
  const ports = { port: main, "record-store-port": store, "search-port": search, "cover-store-port": covers };
  const flags = Object.entries(ports).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const place = catalog === undefined ? [] : ["--catalog", catalog];
  const args = ["scripts/start.mjs", "--empty", "--state", state, ...place, ...flags];
  const child = new ServiceProcess(process.execPath, args, {});
  await child.ready(READY_SECONDS);
  return { process: child, url: `http://${HOST}:${main}` };
}

/**
 * Loads what every service has, and a small catalog. Of each scan there is one copy to lend.
 * @param {string} url
 * @param {string} state
 * @param {{ works: number, scans?: readonly string[] }} options
 */
export async function fill(url, state, { works, scans = [] }) {
  const token = (await knownToken(state)) ?? "";
  await sendLines(bootstrapLines({ development: true }), { url, token, fetch });
  await sendLines(catalogLines(works), { url, token, fetch });
  if (scans.length === 0) return;
  await sendLines(scans.map(scanLine), { url, token, fetch });
  const response = await fetch(`${url}/system/holdings`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: scans.map((ocaid) => JSON.stringify({ ocaid, collections: ["inlibrary"] })).join("\n"),
  });
  if (!response.ok) throw new Error(`holdings: ${response.status} ${await response.text()}`);
}

/**
 * The edition of a scan, as a line of a dump.
 * @param {string} ocaid
 * @param {number} index
 */
function scanLine(ocaid, index) {
  const key = `/books/OL${900_000 + index}M`;
  const time = "2026-01-01T00:00:00.000000";
  const record = {
    key,
    type: { key: "/type/edition" },
    title: `Scan ${index}`,
    works: [{ key: "/works/OL1W" }],
    ocaid,
    latest_revision: 1,
    revision: 1,
    created: { type: "/type/datetime", value: time },
    last_modified: { type: "/type/datetime", value: time },
  };
  return ["/type/edition", key, 1, time, JSON.stringify(record)].join("\t");
}
