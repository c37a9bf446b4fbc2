import { spawn } from "node:child_process";
import path from "node:path";
import { ROOT } from "./paths.mjs";

/**
 * Runs a wrangler command to its end.
 * @typedef {(args: string[]) => Promise<{ status: number, stdout: string, stderr: string }>} Wrangler
 */

/** Wrangler of this checkout, or the program that the environment names. */
export const WRANGLER =
  process.env["WRANGLER"] ?? path.join(ROOT, "node_modules/wrangler/wrangler-dist/cli.js");

/** Nothing is asked, nothing is reported, nothing is coloured. */
const ENVIRONMENT = { WRANGLER_SEND_METRICS: "false", CI: "true", NO_COLOR: "1", FORCE_COLOR: "0" };

/** @type {Wrangler} */
export function wrangler(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRANGLER, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ["ignore", "pipe", "pipe"],
    });
    /** @type {Record<"stdout" | "stderr", string>} */
    const said = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (said.stdout += chunk));
    child.stderr.on("data", (chunk) => (said.stderr += chunk));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? 1, ...said }));
  });
}
