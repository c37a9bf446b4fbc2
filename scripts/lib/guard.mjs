import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import { UsageError } from "./arguments.mjs";
import { lockFile } from "./paths.mjs";
import { HOST } from "./runtime.mjs";

/** @import { Listener } from "./runtime.mjs" */

/**
 * Fails with a clear message when a port is taken.
 * @param {Listener[]} listeners
 */
export async function checkPorts(listeners) {
  for (const { name, port, flag } of listeners) {
    const problem = await portProblem(port);
    if (problem === "EADDRINUSE") {
      throw new UsageError(
        `Port ${port} (${name}) is in use. Stop the program that uses it, or choose another: --${flag} N`,
      );
    }
    if (problem !== undefined) throw new UsageError(`Port ${port} (${name}) cannot be used: ${problem}`);
  }
}

/**
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
function portProblem(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen(port, HOST, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Makes sure that no other process works on the same state; returns what undoes it.
 * @param {string} state
 */
export async function lockState(state) {
  const file = lockFile(state);
  await mkdir(state, { recursive: true });
  const owner = await lockOwner(state);
  if (owner !== undefined) {
    throw new UsageError(`${state} is in use by process ${owner}. Stop it, or choose another: --state DIR`);
  }
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
}

/**
 * The running process that holds a state directory, if there is one.
 * @param {string} state
 * @returns {Promise<number | undefined>}
 */
async function lockOwner(state) {
  const text = await readFile(lockFile(state), "utf8").catch(() => "");
  const owner = Number(text);
  if (!Number.isInteger(owner) || owner <= 0 || owner === process.pid) return undefined;
  return (await isRunning(owner)) ? owner : undefined;
}

/**
 * True for a living process that can be one of ours: not a dead one that nobody has collected yet, nor another
 * program that got the number after a restart of the machine.
 * @param {number} pid
 */
async function isRunning(pid) {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  if (command !== undefined) return command.includes("node");
  try {
    process.kill(pid, 0);
    return process.platform !== "linux";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
