import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, codeOf } from "./command.ts";
import { ROOT } from "./paths.ts";
import { HOST } from "./runtime.ts";

/** Output of start.ts when all listeners respond. */
const READY = "Carrel is ready";
/** Poll interval of the log in milliseconds. */
const LOOK_EVERY_MS = 25;
/** Seconds between a signal and SIGKILL. */
const STOP_SECONDS = 15;

/** First port to try, above well-known services and below the ephemeral range. */
const FIRST_PORT = 10_000;
const END_OF_PORTS = 32_000;
const PORT_TRIES = 100;

/** Runs Carrel in a process group of its own. */
export class ServiceProcess {
  /** Output so far. */
  log = "";
  #child;
  #hasEnded = false;
  #killGroup = () => this.kill();

  /** `env` extends the environment. */
  constructor(command: string, args: string[], env: Environment = {}) {
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

  /** Runs the service of this checkout on free ports. `env` extends the environment. */
  static start(args: string[], env: Environment = {}) {
    return new ServiceProcess(process.execPath, ["scripts/start.ts", "--port", "0", ...args], env);
  }

  /** Runs the service of this checkout as users meet it, with the options of `npm run serve`. */
  static serve(args: string[], env: Environment = {}) {
    return new ServiceProcess(process.execPath, ["scripts/serve.ts", ...args], env);
  }

  /** Id of the process and of its process group. */
  get pid() {
    return this.#child.pid;
  }

  /** Waits until the service is ready and returns its address. Throws with the log if it ends first or on timeout. */
  async ready(seconds: number) {
    await this.#until(() => this.log.includes(READY) || this.#hasEnded, seconds);
    if (this.#hasEnded) throw this.#failure("ended instead of becoming ready");
    if (!this.log.includes(READY)) throw this.#failure(`was not ready after ${seconds} s`);
    return this.url();
  }

  /** Returns the address of a listener of a service that is ready, without a slash at the end. */
  url(listener: "main site" | "record store" | "search engine" | "cover store" = "main site") {
    const served = /, port (\d+) of (\S+)\./.exec(this.log);
    if (served !== null && listener === "main site") return `http://${served[2]}:${served[1]}`;
    const address = new RegExp(`^${listener} +(http://\\S+)$`, "m").exec(this.log)?.[1];
    if (address === undefined) throw this.#failure(`printed no address of its ${listener}`);
    return address;
  }

  /** Sends a signal and waits for the end. Throws with the log on timeout or a wrong exit code. */
  async stop(signal: NodeJS.Signals) {
    this.#child.kill(signal);
    await this.#until(() => this.#hasEnded, STOP_SECONDS);
    if (!this.#hasEnded) throw this.#failure(`did not end within ${STOP_SECONDS} s of ${signal}`);
    const code = this.#child.exitCode ?? this.#child.signalCode;
    if (code !== 0) throw this.#failure(`ended with ${code} after ${signal}`);
  }

  /** Kills the runtime alone, which the service then starts again. */
  killRuntime() {
    for (const { pid, name } of listGroup(this.pid ?? 0))
      if (name === "workerd") process.kill(pid, "SIGKILL");
  }

  /** Kills the whole process group. */
  kill() {
    process.removeListener("exit", this.#killGroup);
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch (error) {
      if (codeOf(error) !== "ESRCH") throw error;
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

/** Lists the processes of a group, with their resident memory in bytes; none on platforms without /proc. */
export function listGroup(group: number) {
  const names = existsSync("/proc") ? readdirSync("/proc") : [];
  return names.flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      // The name of the program, in brackets, may have blanks.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      if (Number(fields[2]) !== group) return [];
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const [, name = ""] = /^Name:\s*(\S+)/.exec(status) ?? [];
      const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(status) ?? [];
      return [{ pid: Number(pid), name, residentBytes: 1024 * Number(kilobytes ?? 0) }];
    } catch {
      // The process has ended meanwhile.
      return [];
    }
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

/**
 * Finds unused ports outside the ephemeral range: an outgoing connection could take one of that range before it is
 * used.
 */
export async function freePorts(count: number) {
  const ports: Set<number> = new Set();
  for (let tries = 0; ports.size < count; tries += 1) {
    if (tries === PORT_TRIES) throw new Error(`no ${count} free ports after ${tries} tries`);
    const port = randomInt(FIRST_PORT, END_OF_PORTS);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}
