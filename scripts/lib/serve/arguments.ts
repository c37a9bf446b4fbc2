import { BlockList, isIP } from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { catalogOf, milliseconds, portNumber } from "../arguments.ts";
import { type Environment, CommandError } from "../command.ts";
import { DEFAULT_STATE } from "../paths.ts";
import type { Listener } from "../runtime.ts";

export const SERVE_HELP = `usage: npm run serve -- --base-url URL [options]

Runs Carrel for users on one machine, behind a reverse proxy that speaks HTTPS (docs/self-host.md). Settings and secrets of
docs/settings.md come from environment variables; a secret NAME may come from a file: NAME_FILE.

  --base-url URL          address that readers use, such as https://books.example.org (or $BASE_URL)
  --path-prefix /PATH     folder of the site below that address; the proxy sends requests with it
  --host ADDRESS          address to listen on (default 127.0.0.1)
  --port N                its port (default 8080, or $PORT)
  --trust-proxy LIST      proxies whose forwarded addresses count: addresses, networks such as 10.0.0.0/8, or loopback
                          (or $TRUST_PROXY); without it the address of each connection counts
  --management-port N     serve /metrics, /health and /ready without a token on this port of 127.0.0.1
  --record-store-port N   open the record store on this port of 127.0.0.1; also --search-port, --cover-store-port
  --state DIR             where everything is kept (default $STATE_DIR, $STATE_DIRECTORY, or .wrangler/state/v3)
  --starter               load the starter catalog into an empty state
  --bare                  load nothing at all into an empty state: for a restore, or a mirror of another service
  --solr URL              search by this Solr: the same as $SOLR_URL with SEARCH_ENGINE=solr
  --catalog URL           keep the catalog in this PostgreSQL (or $CATALOG_URL); --catalog-near URL names a replica
  --stop-seconds N        time for requests under way when the service is stopped (default 20)
  --recreate-missing      recreate empty databases whose files are missing in the state
  --bundle DIR            run this bundle, which npm run build has made, rather than the sources
  --help                  this text

Emails are sent through $SMTP_URL, such as smtps://user:password@mail.example.org, or posted to $MAIL_URL; $MAIL_FROM is their sender.`;

/** Listeners for other programs on this machine, which are closed without a port. */
const SERVICES = [
  { name: "record store", entrypoint: "RecordStore", flag: "record-store-port" },
  { name: "search engine", entrypoint: "SearchEngine", flag: "search-port" },
  { name: "cover store", entrypoint: "CoverStore", flag: "cover-store-port" },
];
const TEXTS =
  "base-url path-prefix host port trust-proxy management-port state solr catalog catalog-near stop-seconds bundle".split(
    " ",
  );
const SWITCHES = ["starter", "bare", "recreate-missing", "help"];

export type ServeOptions = ReturnType<typeof serveArguments>;

/** Reads the command line of `npm run serve`. */
export function serveArguments(args: string[], env: Environment) {
  const values = parse(args);
  const textOf = (flag: string, ...names: string[]) =>
    [values[flag], ...names.map((name) => env[name])].find(
      (value): value is string => typeof value === "string" && value !== "",
    );
  const services: Listener[] = SERVICES.flatMap((service) => {
    const port = textOf(service.flag);
    return port === undefined ? [] : [{ ...service, port: portNumber(port, `--${service.flag}`) }];
  });
  const management = textOf("management-port");
  const isHelp = values["help"] === true;
  const catalog = textOf("catalog", "CATALOG_URL");
  return {
    help: isHelp,
    ...(isHelp ? { baseUrl: "", prefix: "" } : siteOf(textOf("base-url", "BASE_URL"), textOf("path-prefix"))),
    host: textOf("host") ?? "127.0.0.1",
    port: portNumber(textOf("port", "PORT") ?? "8080", "--port"),
    trusted: parseProxies(textOf("trust-proxy", "TRUST_PROXY")),
    managementPort: management === undefined ? undefined : portNumber(management, "--management-port"),
    services,
    state: path.resolve(textOf("state", "STATE_DIR", "STATE_DIRECTORY") ?? DEFAULT_STATE),
    content:
      values["bare"] === true
        ? ("bare" as const)
        : values["starter"] === true
          ? "starter"
          : ("empty" as const),
    solr: textOf("solr"),
    catalog: catalogOf({ catalog, "catalog-near": textOf("catalog-near") }),
    stopMs: seconds(textOf("stop-seconds") ?? "20", "--stop-seconds") * 1000,
    recreateMissing: values["recreate-missing"] === true,
    bundle: textOf("bundle"),
    cronEveryMs: milliseconds(env, "CRON_EVERY_MS", 300_000),
  } as const;
}

function parse(args: string[]): Record<string, string | boolean | undefined> {
  try {
    const options = {
      ...Object.fromEntries(
        [...TEXTS, ...SERVICES.map(({ flag }) => flag)].map((flag) => [flag, { type: "string" as const }]),
      ),
      ...Object.fromEntries(SWITCHES.map((flag) => [flag, { type: "boolean" as const }])),
    };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

function seconds(text: string, flag: string) {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new CommandError(`${flag} must be a number of seconds, not "${text}".`);
}

const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)*$/;

/** Returns the address of the site, with its folder, and the folder alone: `/catalog`, or empty. */
function siteOf(url: string | undefined, givenPrefix: string | undefined) {
  if (url === undefined) {
    throw new CommandError("Which address do readers use? --base-url https://books.example.org");
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = parsed !== undefined && `${parsed.search}${parsed.hash}${parsed.username}` === "";
  if (!isPlain || !/^https?:$/.test(parsed.protocol)) {
    throw new CommandError(`--base-url must be an address such as https://books.example.org, not "${url}".`);
  }
  const ofUrl = parsed.pathname.replace(/\/$/, "");
  const prefix = (givenPrefix ?? ofUrl).replace(/\/$/, "");
  if (!PREFIX.test(prefix)) {
    throw new CommandError(`--path-prefix must be a folder such as /catalog, not "${prefix}".`);
  }
  if (ofUrl !== "" && ofUrl !== prefix) {
    throw new CommandError(`--base-url names the folder ${ofUrl}, --path-prefix ${prefix}.`);
  }
  return { baseUrl: parsed.origin + prefix, prefix };
}

/** Networks that `loopback` stands for. */
const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** Returns the proxies of a list, which is separated by commas or blanks. */
export function parseProxies(list = ""): BlockList {
  const trusted = new BlockList();
  const names = list.split(/[\s,]+/).filter((name) => name !== "");
  for (const name of names.flatMap((one) => (one === "loopback" ? LOOPBACK : [one]))) {
    const [address = "", bits] = name.split("/");
    const version = isIP(address);
    const length = Number(bits ?? (version === 4 ? 32 : 128));
    try {
      if (!/^\d+$/.test(bits ?? "0")) throw new TypeError();
      trusted.addSubnet(address, length, version === 4 ? "ipv4" : "ipv6");
    } catch {
      throw new CommandError(`--trust-proxy takes addresses, networks and loopback, not "${name}".`);
    }
  }
  return trusted;
}
