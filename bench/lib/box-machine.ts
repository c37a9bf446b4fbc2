import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../../scripts/lib/paths.ts";
import { listGroup } from "../../scripts/lib/service-process.ts";

/** Time after which the supervisor starts an ended service again, in milliseconds, as systemd does. */
const RESTART_MS = 100;
/** Id of the user without rights that every Linux has. */
const USER = 65_534;

const DOCUMENT = readFileSync(path.join(ROOT, "docs/self-host.md"), "utf8");

/** Returns the command line of the unit in docs/self-host.md. */
function unitCommand() {
  const [, command = ""] = /^ExecStart=(\S+ scripts\/run\.mjs serve.*)$/m.exec(DOCUMENT) ?? [];
  return command.split(" ");
}

/** Returns the Caddyfile of docs/self-host.md for a local certificate and these ports. */
function caddyfile(port: number, servicePort: number) {
  const [, site = ""] = /```caddyfile\n([^]*?)```/.exec(DOCUMENT) ?? [];
  const local = site
    .replace("books.example.org {", `https://books.test:${port} {\n\ttls internal`)
    .replace(":8080", `:${servicePort}`);
  return `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${local}`;
}

export interface BoxPlan {
  folder: string;
  state: string;
  /** Ports of the proxy, of the service and of its measurements. */
  port: number;
  servicePort: number;
  managementPort: number;
  smtp: string;
}

/** Machine of a self-hoster: the service by the command of its unit, started again when it ends, and a proxy. */
export class BoxMachine {
  starts = 0;
  log = "";
  #service: ChildProcess | undefined;
  #proxy: ChildProcess | undefined;
  #isEnding = false;
  readonly #plan: BoxPlan;

  constructor(plan: BoxPlan) {
    this.#plan = plan;
  }

  get pid() {
    return this.#service?.pid ?? 0;
  }

  /** Starts the service; `options` follow those of the unit. */
  start(options: readonly string[] = []) {
    const { state, servicePort, managementPort, smtp, port } = this.#plan;
    const [, ...args] = unitCommand().map((word) => (word === "9464" ? String(managementPort) : word));
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync("chown", ["-R", `${USER}:${USER}`, state]);
    const user = [
      "setpriv",
      "--reuid",
      String(USER),
      "--regid",
      String(USER),
      "--clear-groups",
      "--no-new-privs",
    ];
    const [program = "", ...all] = [...(isRoot ? user : []), process.execPath, ...args, ...options];
    this.starts += 1;
    this.#service = spawn(program, all, {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        HOME: state,
        STATE_DIRECTORY: state,
        BASE_URL: `https://books.test:${port}`,
        PORT: String(servicePort),
        TRUST_PROXY: "loopback",
        SMTP_URL: smtp,
        MAIL_FROM: "books@example.org",
        NODE_ENV: "production",
        MALLOC_MMAP_THRESHOLD_: "131072",
      },
    });
    for (const stream of [this.#service.stdout, this.#service.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (this.log += text));
    }
    this.#service.once("exit", () => {
      if (!this.#isEnding) setTimeout(() => this.start(options), RESTART_MS);
    });
  }

  /** Starts Caddy with a certificate of its own authority, and returns the certificate of that. */
  async startProxy() {
    const { folder, port, servicePort } = this.#plan;
    const file = path.join(folder, "Caddyfile");
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, caddyfile(port, servicePort));
    this.#proxy = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
      stdio: "ignore",
      env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    const root = path.join(folder, "caddy/pki/authorities/local/root.crt");
    for (let tries = 0; ; tries += 1) {
      await sleep(250);
      try {
        return readFileSync(root, "utf8");
      } catch (error) {
        if (tries === 80) throw error;
      }
    }
  }

  /** Waits until the service is ready. */
  async ready(seconds = 180) {
    const url = `http://127.0.0.1:${this.#plan.servicePort}/ready`;
    for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(200)) {
      const response = await fetch(url).catch(() => undefined);
      if (response?.status === 200) return;
    }
    throw new Error(`The service is not ready:\n${this.log.slice(-3000)}`);
  }

  /** Kills the whole service, as the kernel does when memory is short. */
  kill() {
    process.kill(-this.pid, "SIGKILL");
  }

  killRuntime() {
    for (const { pid, name } of listGroup(this.pid)) if (name === "workerd") process.kill(pid, "SIGKILL");
  }

  /** Ends the service in order and waits for it. */
  async stop() {
    this.#isEnding = true;
    const service = this.#service;
    const ended = new Promise((resolve) => service?.once("exit", resolve));
    service?.kill("SIGTERM");
    await ended;
  }

  async end() {
    await this.stop();
    this.#proxy?.kill("SIGTERM");
  }

  /** Returns the resident megabytes of Node and of the runtime. */
  memory() {
    const sizes = { node: 0, workerd: 0 };
    for (const { name, residentBytes } of listGroup(this.pid)) {
      sizes[name === "workerd" ? "workerd" : "node"] += Math.round(residentBytes / 2 ** 20);
    }
    return sizes;
  }
}
