import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "./command.mjs";

/** How often the new version is asked whether it works, and how long is waited in between, in milliseconds. */
const CHECK_ATTEMPTS = 10;
const CHECK_WAIT_MS = 3000;

/**
 * Looks whether the deployed service says that it works; an error when it does not in time.
 * @param {string | undefined} url its address; nothing is looked at without one
 * @param {(line: string) => void} log
 * @param {number} [wait] milliseconds between two attempts
 */
export async function checkDeployed(url, log, wait = CHECK_WAIT_MS) {
  if (url === undefined || url === "") {
    log("check: no address is known; look at /status yourself");
    return;
  }
  const address = `${url.replace(/\/$/, "")}/status.json`;
  let problem = "";
  for (let attempt = 1; attempt <= CHECK_ATTEMPTS; attempt += 1) {
    if (attempt > 1) await sleep(wait);
    const shown = await ask(address);
    if (typeof shown === "string") {
      problem = shown;
      continue;
    }
    log(`check: ${address} says ${shown.status}, version ${shown.software_version}`);
    if (shown.changes === 0) log("next: npm run load -- --bootstrap, see docs/operations.md");
    return;
  }
  throw new CommandError(`check: ${address} does not work: ${problem}`);
}

/**
 * @param {string} address
 * @returns {Promise<string | { status: string, software_version: string, changes: number | null }>} why not, or what it says
 */
async function ask(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(15_000) });
    const text = await response.text();
    if (response.status !== 200) return `${response.status} ${failedOf(text)}`;
    return JSON.parse(text);
  } catch (error) {
    return String(error);
  }
}

/** @param {string} text */
function failedOf(text) {
  try {
    const { dependencies = {} } = JSON.parse(text);
    return Object.keys(dependencies)
      .filter((name) => !dependencies[name].ok)
      .join(", ");
  } catch {
    return text.slice(0, 200);
  }
}
