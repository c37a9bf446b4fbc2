// Stands for wrangler and an account: answers the commands of a deploy as wrangler 4 does. As a program it keeps the
// account in the file that FAKE_ACCOUNT names.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parse } from "smol-toml";

/** Queues on a page of `wrangler queues list`; few, so that there are several pages. */
const QUEUES_PAGE = 5;

interface FakeAccount {
  loggedIn: boolean;
  databases: string[];
  namespaces: string[];
  buckets: string[];
  queues: string[];
  migrated: string[];
  /** Null: there is no worker. */
  secrets: Record<string, string> | null;
  /** Every command, in order. */
  calls: string[];
  /** Fails with the command of this number; 0: never. */
  failsAt: number;
  /** Configuration of the last deploy. */
  deployed: Record<string, unknown> | null;
}

export function newAccount(): FakeAccount {
  return {
    loggedIn: true,
    databases: ["somebody-elses"],
    namespaces: ["somebody-elses"],
    buckets: ["somebody-elses"],
    queues: ["a", "b", "c", "d", "e", "f"],
    migrated: [],
    secrets: null,
    calls: [],
    failsAt: 0,
    deployed: null,
  };
}

const idOf = (name: string) => Buffer.from(name).toString("hex").padEnd(32, "0").slice(0, 32);
const ok = (stdout = "") => ({ status: 0, stdout, stderr: "" });
const error = (stderr: string) => ({ status: 1, stdout: "", stderr: `✘ [ERROR] ${stderr}` });

export function answer(account: FakeAccount, args: string[]) {
  account.calls.push(args.join(" "));
  if (account.calls.length === account.failsAt) return error("the network went away");
  if (args[0] === "whoami") return account.loggedIn ? ok('{"loggedIn":true}') : { ...error("no"), status: 1 };
  if (args.includes("--dry-run")) return ok("Total Upload: 1.00 KiB / gzip: 1.00 KiB");
  if (!account.loggedIn) return error("Not logged in.");
  return list(account, args) ?? create(account, args) ?? change(account, args) ?? error(`unknown: ${args}`);
}

function list(account: FakeAccount, args: string[]) {
  switch (args.slice(0, 3).join(" ")) {
    case "d1 list --json":
      return ok(JSON.stringify(account.databases.map((name) => ({ name, uuid: idOf(name) }))));
    case "kv namespace list":
      return ok(JSON.stringify(account.namespaces.map((title) => ({ title, id: idOf(title) }))));
    case "r2 bucket list":
      return ok(
        `Listing buckets...\n${account.buckets.map((name) => `name:           ${name}\ncreation_date:  2026`).join("\n\n")}`,
      );
    case "queues list --page": {
      const page = Number(args[3]);
      const names = account.queues.slice((page - 1) * QUEUES_PAGE, page * QUEUES_PAGE);
      const rows = names.map((name) => `│ ${idOf(name)} │ ${name} │ 2026 │ 2026 │ 1 │ 1 │`);
      return ok(["┌───┬───┐", "│ id │ name │ created_on │", "├───┼───┤", ...rows, "└───┴───┘"].join("\n"));
    }
    case "secret list --format":
      if (account.secrets === null) return error('Worker "carrel" not found.');
      return ok(JSON.stringify(Object.keys(account.secrets).map((name) => ({ name, type: "secret_text" }))));
    default:
      return undefined;
  }
}

function create(account: FakeAccount, args: string[]) {
  const [, names, name = ""] =
    [
      [/^d1 create (\S+)/, account.databases],
      [/^kv namespace create (\S+)/, account.namespaces],
      [/^r2 bucket create (\S+)/, account.buckets],
      [/^queues create (\S+)/, account.queues],
    ]
      .map(([pattern, known]) => [pattern, known, (pattern as RegExp).exec(args.join(" "))?.[1]])
      .find(([, , found]) => found !== undefined) ?? [];
  if (names === undefined) return undefined;
  const known = names as string[];
  if (known.includes(String(name))) return error("A thing with that name already exists");
  known.push(String(name));
  return ok(`✅ Successfully created '${name}'`);
}

function change(account: FakeAccount, args: string[]) {
  const option = (name: string) => args[args.indexOf(name) + 1] ?? "";
  if (args.slice(0, 3).join(" ") === "d1 migrations apply") {
    const config = readConfig(option("--config"));
    const { database_id: id } = config.d1_databases.find(({ binding }) => binding === args[3]) ?? {};
    if (!account.databases.some((name) => idOf(name) === id)) return error("Couldn't find DB");
    const isDone = account.migrated.includes(String(args[3]));
    if (!isDone) account.migrated.push(String(args[3]));
    return ok(isDone ? "✅ No migrations to apply!" : "applied 0001");
  }
  if (args[0] !== "deploy") return undefined;
  const secrets = args.includes("--secrets-file")
    ? JSON.parse(readFileSync(option("--secrets-file"), "utf8"))
    : {};
  account.secrets = { ...account.secrets, ...secrets };
  account.deployed = readConfig(option("--config"));
  return ok("Uploaded carrel\nCurrent Version ID: 1234");
}

function readConfig(file: string) {
  const config: unknown = parse(readFileSync(file, "utf8"));
  return config as { d1_databases: { binding: string; database_id: string }[] };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const file = String(process.env["FAKE_ACCOUNT"]);
  const account = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : newAccount();
  const { status, stdout, stderr } = answer(account, process.argv.slice(2));
  writeFileSync(file, JSON.stringify(account));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status;
}
