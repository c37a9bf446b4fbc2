import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "./command.ts";
import { ROOT } from "./paths.ts";
import { type Listener, HOST } from "./runtime.ts";

/** What start.ts prints when the four listeners answer. */
const READY = "Carrel is ready";
/** How often the log is looked at, in milliseconds. */
const LOOK_EVERY_MS = 25;
/** How long a service has to end after a signal, in seconds, before it is killed. */
const STOP_SECONDS = 15;

/** Where free ports are looked for: above the well-known services, below the system's own range. */
const FIRST_PORT = 10_000;
const END_OF_PORTS = 32_000;
const PORT_TRIES = 100;

/** Carrel as a process of its own, with everything that it starts in one process group. */
export class ServiceProcess {
  /** What it has printed so far. */
  log = "";
  #child;
  #hasEnded = false;
  #killGroup = () => this.kill();

  /** `env`: what is added to the environment. */
  constructor(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (this.log += text));
    }
    this.#child.once("error", (error) => {
      this.log += `${error.message}\n`;
      this.#hasEnded = true;
    });
    this.#child.once("exit", () => (this.#hasEnded = true));
    // Nothing is left behind, even when this process is ended in the middle.
    process.once("exit", this.#killGroup);
  }

  /** Id of the process, and of the group of everything that it starts. */
  get pid() {
    return this.#child.pid;
  }

  /** Waits until it answers; fails with its log when it ends or the time is over. */
  async ready(seconds: number) {
    await this.#until(() => this.log.includes(READY) || this.#hasEnded, seconds);
    if (this.#hasEnded) throw this.#failure("ended instead of becoming ready");
    if (!this.log.includes(READY)) throw this.#failure(`was not ready after ${seconds} s`);
  }

  /** Asks it to end and waits for that; fails with its log when it does not, or not in order. */
  async stop(signal: NodeJS.Signals) {
    this.#child.kill(signal);
    await this.#until(() => this.#hasEnded, STOP_SECONDS);
    if (!this.#hasEnded) throw this.#failure(`did not end within ${STOP_SECONDS} s of ${signal}`);
    const code = this.#child.exitCode ?? this.#child.signalCode;
    if (code !== 0) throw this.#failure(`ended with ${code} after ${signal}`);
  }

  /** Ends at once whatever is left of it. */
  kill() {
    process.removeListener("exit", this.#killGroup);
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch (error) {
      const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
      if (!isGone) throw error;
    }
  }

  async #until(isTrue: () => boolean, seconds: number) {
    const deadline = Date.now() + seconds * 1000;
    while (!isTrue() && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
  }

  #failure(what: string) {
    return new Error(`The service ${what}. Its log:\n${this.log}`);
  }
}

/** Fails with a clear message when a port is taken. */
export async function checkPorts(listeners: Listener[]) {
  for (const { name, port, flag } of listeners) {
    const problem = await portProblem(port);
    if (problem === "EADDRINUSE") {
      throw new CommandError(
        `Port ${port} (${name}) is in use. Stop the program that uses it, or choose another: --${flag} N`,
      );
    }
    if (problem !== undefined) throw new CommandError(`Port ${port} (${name}) cannot be used: ${problem}`);
  }
}

function portProblem(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen(port, HOST, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Ports that nothing listens on, outside the range from which the system takes ports for outgoing connections: one of
 * that range could be taken between this look and its use.
 */
export async function freePorts(count: number) {
  const ports: Set<number> = new Set();
  for (let tries = 0; ports.size < count; tries += 1) {
    if (tries === PORT_TRIES) throw new Error(`no ${count} free ports after ${tries} tries`);
    const port = randomInt(FIRST_PORT, END_OF_PORTS);
    if ((await portProblem(port)) === undefined) ports.add(port);
  }
  return [...ports];
}
