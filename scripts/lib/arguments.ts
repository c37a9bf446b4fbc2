import path from "node:path";
import { parseArgs } from "node:util";
import { type Environment, CommandError } from "./command.ts";
import { DEFAULT_STATE } from "./paths.ts";
import type { Listener } from "./runtime.ts";

export const START_HELP = `usage: npm start -- [options]

  --port N                main site (default 8080, or $PORT); 0 picks free ports for all without a flag
  --record-store-port N   record store (default 7000, or $RECORD_STORE_PORT)
  --search-port N         search engine (default 8983, or $SEARCH_PORT)
  --cover-store-port N    cover store (default 7075, or $COVER_STORE_PORT)
  --state DIR             where everything is kept (default .wrangler/state/v3, or $STATE_DIR)
  --empty                 load no starter catalog into an empty state (or EMPTY=1)
  --bare                  load nothing at all into an empty state: for a mirror of another service
  --solr URL              search by this Solr, such as http://127.0.0.1:8983/solr; npm run solr -- setup comes first
  --catalog URL           keep the catalog in this PostgreSQL, postgres://user:password@host:port/database, not in a D1
  --catalog-near URL      a replica to read it from, for readers who have not written
  --recreate-missing      recreate empty databases whose files are missing in the state
  --watch                 load changed code without a restart (npm run dev)
  --inspect               open a debugger port, 9229, for chrome://inspect and editors
  --help                  this text`;

/** Listeners. The environment variable of a port is its flag in capitals. */
const LISTENERS = [
  { name: "main site", entrypoint: "MainSite", flag: "port", fallback: 8080 },
  { name: "record store", entrypoint: "RecordStore", flag: "record-store-port", fallback: 7000 },
  { name: "search engine", entrypoint: "SearchEngine", flag: "search-port", fallback: 8983 },
  { name: "cover store", entrypoint: "CoverStore", flag: "cover-store-port", fallback: 7075 },
];

/** Reads the command line of `npm start`. */
export function startArguments(args: string[], env: Environment) {
  const { values } = parse(args);
  const isAnyPort = (values["port"] ?? env["PORT"]) === "0";
  const listeners: Listener[] = LISTENERS.map(({ name, entrypoint, flag, fallback }) => {
    const fromEnvironment = isAnyPort ? 0 : env[flag.toUpperCase().replaceAll("-", "_")];
    const port = portNumber(String(values[flag] ?? fromEnvironment ?? fallback), `--${flag}`);
    return { name, entrypoint, flag, port };
  });
  const ports = listeners.map(({ port }) => port).filter((port) => port > 0);
  if (new Set(ports).size < ports.length) throw new CommandError("Two of the four ports are the same.");
  return {
    listeners,
    state: path.resolve(String(values["state"] ?? env["STATE_DIR"] ?? DEFAULT_STATE)),
    empty: values["empty"] === true || isOn(env, "EMPTY"),
    bare: values["bare"] === true,
    solr: values["solr"] === undefined ? undefined : String(values["solr"]),
    catalog: catalogOf(values),
    recreateMissing: values["recreate-missing"] === true,
    watch: values["watch"] === true,
    inspect: values["inspect"] === true,
    /** Interval of the cron triggers in milliseconds. */
    cronEveryMs: milliseconds(env, "CRON_EVERY_MS", 300_000),
    help: values["help"] === true,
  };
}

/** Returns the addresses of the catalog if it is not in D1. */
export function catalogOf({ catalog, "catalog-near": near }: Record<string, string | boolean | undefined>) {
  if (catalog === undefined) return undefined;
  for (const [flag, url] of Object.entries({ "--catalog": catalog, "--catalog-near": near })) {
    // Not repeated: it has a password.
    if (url !== undefined && !(/^postgres(?:ql)?:\/\//.test(String(url)) && URL.canParse(String(url)))) {
      throw new CommandError(
        `${flag} must be an address such as postgres://user:password@host:port/database.`,
      );
    }
  }
  return { primary: String(catalog), near: near === undefined ? undefined : String(near) };
}

function parse(args: string[]): { values: Record<string, string | boolean | undefined> } {
  try {
    return parseArgs({
      args,
      options: {
        ...Object.fromEntries(LISTENERS.map(({ flag }) => [flag, { type: "string" as const }])),
        state: { type: "string" },
        empty: { type: "boolean" },
        bare: { type: "boolean" },
        solr: { type: "string" },
        catalog: { type: "string" },
        "catalog-near": { type: "string" },
        "recreate-missing": { type: "boolean" },
        watch: { type: "boolean" },
        inspect: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

export function portNumber(text: string, flag: string) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new CommandError(`${flag} must be a port number from 0 to 65535, not "${text}".`);
}

function isOn(env: Environment, name: string) {
  const value = env[name] ?? "";
  if (["", "0", "1"].includes(value)) return value === "1";
  throw new CommandError(`${name} must be 1 or 0, not "${value}".`);
}

export function milliseconds(env: Environment, name: string, fallback: number) {
  const value = env[name] || String(fallback);
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new CommandError(`${name} must be a number of milliseconds, not "${value}".`);
}
