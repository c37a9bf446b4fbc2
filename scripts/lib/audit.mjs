import { execFile } from "node:child_process";
import { ROOT } from "./paths.mjs";

/** What a registry is given to answer, in milliseconds. */
const TIMEOUT_MS = 60_000;
// What only tests and tools need is not audited; a registry that does not answer is not asked again.
const AUDIT = ["audit", "--omit=dev", "--package-lock-only", "--json", "--fetch-retries=0"];

/**
 * The known holes of the packages that the service runs on, as the lock file names them, a line each.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ holes: string[] } | { unknown: string }>} `unknown`: why the registry could not be asked
 */
export async function knownHoles(env = process.env) {
  const said = await new Promise((resolve) => {
    // It ends with 1 where there are holes, and where it could not ask.
    execFile("npm", AUDIT, { cwd: ROOT, env, timeout: TIMEOUT_MS }, (_error, out) => resolve(out));
  });
  return readAudit(said);
}

/**
 * Reads the output of `npm audit --json`: a line for each vulnerable package, or why the registry did not answer.
 * @param {string} output
 * @returns {{ holes: string[] } | { unknown: string }}
 */
export function readAudit(output) {
  const { vulnerabilities, message, error } = parsed(output);
  if (vulnerabilities === undefined) return { unknown: message ?? error?.summary ?? "it does not answer" };
  return { holes: Object.values(vulnerabilities).map(({ name, severity }) => `${name}: ${severity}`) };
}

/**
 * @param {string} text
 * @returns {{ vulnerabilities?: Record<string, { name: string, severity: string }>, message?: string, error?: { summary?: string } }}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
