// A real SolrCloud for tests and benchmarks, out of Maven's artifacts: a process of Java a node. Not for production.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { CommandError } from "./command.ts";
import { ROOT } from "./paths.ts";
import { HOST } from "./runtime.ts";
import { freePorts } from "./service-process.ts";

const SOURCES = path.join(ROOT, "scripts/solr-cloud");
/** Timeout of a node's start in milliseconds: 6 s on two idle cores, minutes on busy ones. */
const READY_MS = 300_000;
/** Timeout of Maven in milliseconds, to download 84 MB. */
const FETCH_MS = 600_000;
/** Characters of a node's log in error messages. */
const SHOWN = 4000;

interface Cloud {
  /** The first node also runs ZooKeeper and must not be killed. */
  nodes: SolrNode[];
  /** Ends all nodes and deletes their data. */
  stop: () => Promise<void>;
}

/** Returns the reason if Solr cannot be started here. */
export async function solrMissing(): Promise<string | undefined> {
  try {
    await classpath();
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

/**
 * Starts a SolrCloud with a ZooKeeper of its own. It ends with this process. `configs` maps names of config sets to their
 * folders; `heap` is the heap size of each node. Throws a `CommandError` when Java or Maven is missing, or
 * Maven cannot fetch Solr.
 */
export async function startSolrCloud({
  nodes: count = 1,
  ports,
  configs = {},
  heap = "512m",
}: {
  nodes?: number;
  ports?: number[];
  configs?: Record<string, string>;
  heap?: string;
}): Promise<Cloud> {
  const java = ["-cp", await classpath(), `-Xmx${heap}`, path.join(SOURCES, "SolrNode.java")];
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-solr-"));
  const nodes: SolrNode[] = [];
  const stop = async () => {
    process.removeListener("exit", stop);
    const ended = nodes.map((node) => node.kill());
    // Before the first await: code after it does not run while the process exits.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    await Promise.all(ended);
  };
  process.once("exit", stop);
  try {
    for (const port of ports ?? (await freePorts(count))) {
      const home = path.join(folder, String(port));
      await mkdir(home);
      await copyFile(path.join(SOURCES, "solr.xml"), path.join(home, "solr.xml"));
      const named = Object.entries(configs).map(([name, config]) => `${name}=${path.resolve(config)}`);
      const zookeeper = nodes.length === 0 ? ["-", ...named] : [nodes[0]?.zookeeper ?? ""];
      const node = new SolrNode(port, [...java, home, String(port), ...zookeeper]);
      nodes.push(node);
      await node.start();
    }
    return { nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Solr node. After a kill it can be started again with its data. */
class SolrNode {
  /** Address of ZooKeeper after the start. */
  zookeeper = "";
  readonly url;
  #args;
  #log = "";
  #child: ChildProcess | undefined;

  constructor(port: number, args: string[]) {
    this.url = `http://${HOST}:${port}/solr`;
    this.#args = args;
  }

  /** Starts the node and waits until it responds. */
  async start() {
    // It ends with its standard input, and so with this process, however that ends.
    const child = spawn("java", this.#args, { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    child.stdin.once("error", () => undefined);
    const ready: (resolve: (problem: string | undefined) => void) => void = (resolve): void => {
      setTimeout(() => resolve(`was not ready after ${READY_MS / 1000} s`), READY_MS).unref();
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code) => resolve(`ended with ${code}`));
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          this.#log = (this.#log + text).slice(-SHOWN);
        });
      }
      readline.createInterface(child.stdout).on("line", (line) => {
        if (!line.startsWith("READY ")) return;
        this.zookeeper = line.slice("READY ".length);
        resolve(undefined);
      });
    };
    const problem = await new Promise(ready);
    if (problem !== undefined) throw new Error(`A node of Solr ${problem}. Its log:\n${this.#log}`);
  }

  /** Kills the node. */
  async kill() {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }
}

/** Returns the class path of Solr. Maven resolves it once and caches the artifacts. */
async function classpath(): Promise<string> {
  const cache = path.join(process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache"), "carrel");
  const pom = path.join(SOURCES, "pom.xml");
  const version = /solr-test-framework<\/artifactId>\s*<version>(.*)<\/version>/.exec(
    await readFile(pom, "utf8"),
  )?.[1];
  const file = path.join(cache, `solr-${version}.classpath`);
  await mkdir(cache, { recursive: true });
  await run("java", ["-version"], "Solr needs Java 17: there is no command `java`");
  if (!(await isWhole(file))) {
    await run("mvn", ["-version"], "Solr needs Maven, to be fetched: there is no command `mvn`");
    const args = ["-q", "-B", "-f", pom, "dependency:build-classpath", `-Dmdep.outputFile=${file}`];
    await run("mvn", args, `Maven could not fetch Solr ${version}: is there a network?`);
  }
  return readFile(file, "utf8");
}

/** Returns true if all artifacts of a cached class path exist. */
async function isWhole(file: string) {
  return existsSync(file) && (await readFile(file, "utf8")).split(":").every((jar) => existsSync(jar));
}

function run(command: string, args: string[], problem: string) {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: FETCH_MS }, (error) => {
      if (error === null) resolve(undefined);
      else reject(new CommandError(problem));
    });
  });
}
