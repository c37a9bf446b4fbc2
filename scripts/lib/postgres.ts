// A temporary PostgreSQL for tests and benchmarks, on a free port. It ends with the process that started it.
import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { chown } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CommandError } from "./command.ts";
import { HOST } from "./runtime.ts";
import { freePorts } from "./service-process.ts";

const run = promisify(execFile);
/** Installation path of Debian, by version. */
const VERSIONS = "/usr/lib/postgresql";
/** User of the server if root starts it: PostgreSQL refuses to run as root. */
const OWNER = "postgres";
/** Durability is not needed for tests. */
const QUICK = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"];
const WAIT_MS = 100;
const READY_MS = 60_000;

/** Returns the folder of the newest installed PostgreSQL, undefined if there is none. */
export function postgresPrograms() {
  try {
    const version = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))[0];
    return version === undefined ? undefined : path.join(VERSIONS, version, "bin");
  } catch {
    return undefined;
  }
}

interface OwnPostgres {
  /** URL of its empty database. */
  url: string;
  stop: () => Promise<void>;
  restart: () => Promise<void>;
}

/**
 * Starts a PostgreSQL without durability. `settings` are extra `name=value` settings; `follows` is the URL of the
 * primary of a replica.
 */
export async function startPostgres({
  settings = [],
  follows,
}: { settings?: string[]; follows?: string } = {}): Promise<OwnPostgres> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new CommandError("there is no PostgreSQL here");
  const folder = mkdtempSync(path.join(os.tmpdir(), "carrel-postgres-"));
  const owner = await ownerOf(folder);
  const data = path.join(folder, "data");
  const [program, ...args] =
    follows === undefined
      ? ["initdb", "-U", OWNER, "-A", "trust", "--no-locale", "-E", "UTF8"]
      : ["pg_basebackup", "-d", follows, "-R", "-c", "fast"];
  await run(path.join(programs, program), [...args, "-D", data, "--no-sync"], { ...owner, cwd: folder });
  const [port = 0] = await freePorts(1);
  const chosen = [`port=${port}`, `listen_addresses=${HOST}`, `unix_socket_directories=${folder}`];
  const all = [...QUICK, ...chosen, ...settings].flatMap((setting) => ["-c", setting]);
  const begin = async () => {
    // After a kill its processes hold their memory for a moment, and it refuses to start.
    for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(WAIT_MS)) {
      const server = spawn(path.join(programs, "postgres"), ["-D", data, ...all], {
        ...owner,
        cwd: folder,
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => server.once("exit", resolve));
      for (; server.exitCode === null && Date.now() < end; await sleep(WAIT_MS)) {
        if (await isReady(path.join(programs, "pg_isready"), port)) return { server, ended };
      }
    }
    throw new CommandError("PostgreSQL does not start");
  };
  let running = await begin();
  return {
    // The local runtime wants a password, whether the server asks for one or not.
    url: `postgres://${OWNER}:${OWNER}@${HOST}:${port}/${OWNER}`,
    async stop() {
      // It ends all sessions first.
      running.server.kill("SIGINT");
      await running.ended;
      rmSync(folder, { recursive: true, force: true });
    },
    async restart() {
      running.server.kill("SIGKILL");
      await running.ended;
      running = await begin();
    },
  };
}

/** Returns the user of the server: `postgres` if this process is root. */
async function ownerOf(folder: string) {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (what) => Number((await run("id", [what, OWNER])).stdout)),
  );
  // The folder above may be for root alone.
  for (let above = path.dirname(folder); above.startsWith(os.tmpdir()); above = path.dirname(above)) {
    chmodSync(above, 0o711);
  }
  await chown(folder, uid ?? 0, gid ?? 0);
  return { uid, gid };
}

async function isReady(program: string, port: number) {
  try {
    await run(program, ["-h", HOST, "-p", String(port)]);
    return true;
  } catch {
    return false;
  }
}
