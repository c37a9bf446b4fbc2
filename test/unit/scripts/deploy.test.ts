import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { deployedConfig, needsOf, readConfig } from "../../../scripts/lib/config.ts";
import { MADE_SECRETS, OTHER_SECRETS, parseSettings } from "../../../scripts/lib/deploy-settings.ts";
import { checkDeployed, deploy } from "../../../scripts/lib/deploy.ts";
import { importSource } from "../../../scripts/lib/import-source.ts";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { answer, newAccount } from "../../support/node/fake-wrangler.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-deploy-test-"));

let account = newAccount();
let files = 0;
let options = optionsOf();
function optionsOf(more: Partial<Parameters<typeof deploy>[0]> = {}): Parameters<typeof deploy>[0] {
  files += 1;
  const file = (name: string): string => path.join(folder, `${files}-${name}`);
  return {
    isDryRun: false,
    config: file("wrangler.toml"),
    settings: file("deploy.env"),
    secrets: file("secrets.json"),
    location: undefined,
    ...more,
  };
}
beforeEach(() => {
  account = newAccount();
  options = optionsOf();
});

const run = async (): Promise<{ lines: string[]; created: number }> => {
  const lines: string[] = [];
  const tools = {
    wrangler: async (args: string[]) => answer(account, args),
    log: (line: string) => void lines.push(line),
  };
  const { created } = await deploy(options, tools);
  return { lines, created };
};
const CHANGING = /^(?:d1 create|kv namespace create|r2 bucket create|queues create)/;
const creations = (): string[] => account.calls.filter((call) => CHANGING.test(call));

describe("a deploy from nothing", () => {
  it("creates all resources of wrangler.toml first", async () => {
    const needs = needsOf(await readConfig());
    const { created } = await run();
    const things = [...needs.databases, ...needs.namespaces, ...needs.buckets, ...needs.queues];
    expect(created).toBe(things.length);
    expect(creations()).toHaveLength(things.length);
    expect(account.queues).toEqual(
      expect.arrayContaining(["carrel-index", "carrel-index-dead", "carrel-dumps-dead"]),
    );
    const order = ["d1 create", "d1 migrations apply", "deploy"].map((start) =>
      account.calls.findIndex((call) => call.startsWith(start)),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(account.migrated).toEqual(["CATALOG", "SEARCH", "PATRONS"]);
  });

  it("deploys with the ids of the account and the settings of the service", async () => {
    await writeFile(
      options.settings,
      "# this service\nBASE_URL = https://Books.example/\nRECORDS_LICENSE_URL=https://books.example/a=b\n\nDUMPS=weekly\nCATALOG_HYPERDRIVE=0a1b\n",
    );
    await run();
    const deployed = account.deployed as unknown as Awaited<ReturnType<typeof readConfig>>;
    const ids = [...deployed.d1_databases.map((one) => one.database_id), deployed.kv_namespaces[0]!.id];
    expect(new Set(ids).size).toBe(4);
    expect(ids.some((id) => /^0+\d?$/.test(id.replaceAll("-", "")))).toBe(false);
    expect(deployed.vars).toMatchObject({
      BASE_URL: "https://Books.example/",
      RECORDS_LICENSE_URL: "https://books.example/a=b",
      DUMPS: "weekly",
      ENVIRONMENT: "production",
    });
    // Bundled before, into a module for each part.
    const bundle = {
      main: "dist/worker/index.js",
      no_bundle: true,
      rules: [{ type: "ESModule", globs: ["**/*.js"] }],
    };
    expect(deployed).toMatchObject(bundle);
    const config = await readConfig();
    const others = { ...bundle, vars: {}, d1_databases: [], kv_namespaces: [] };
    const { hyperdrive, ...same } = deployed;
    expect(hyperdrive).toEqual([{ binding: "CATALOG_POSTGRES", id: "0a1b" }]);
    expect({ ...same, ...others }).toEqual({ ...config, ...others });
    expect(deployed.images).toEqual({ binding: "IMAGES" });
    expect(deployed).toMatchObject({ workers_dev: false, preview_urls: false });
  });

  it("requests no image service if the settings disable it", async () => {
    await writeFile(options.settings, "LARGE_IMAGES=off\n");
    await run();
    const deployed = account.deployed as unknown as Awaited<ReturnType<typeof readConfig>>;
    expect([deployed.images, deployed.vars["LARGE_IMAGES"]]).toEqual([undefined, "off"]);
    expect(await readFile(options.config, "utf8")).not.toContain('IMAGES"');
    const config = await readConfig();
    const none = { databases: new Map<string, string>(), namespaces: new Map<string, string>() };
    const vars = { ...config.vars, LARGE_IMAGES: "off" };
    expect(deployedConfig({ ...config, vars }, { ...none, settings: {} }).images).toBeUndefined();
    expect(
      deployedConfig({ ...config, vars }, { ...none, settings: { LARGE_IMAGES: "on" } }).images,
    ).toBeDefined();
  });

  it("makes random secrets, keeps them for the operator and prints none", async () => {
    const { lines } = await run();
    const secrets = JSON.parse(await readFile(options.secrets, "utf8"));
    expect(Object.keys(secrets).toSorted()).toEqual(MADE_SECRETS.toSorted());
    expect(new Set(Object.values(secrets)).size).toBe(MADE_SECRETS.length);
    expect(account.secrets).toEqual(secrets);
    expect((await stat(options.secrets)).mode & 0o777).toBe(0o600);
    const said = [...lines, ...account.calls].join("\n") + (await readFile(options.config, "utf8"));
    for (const secret of Object.values<string>(secrets)) {
      expect(secret.length).toBeGreaterThanOrEqual(43);
      expect(said).not.toContain(secret);
    }
  });
});

describe("a deploy without BASE_URL", () => {
  it("says that no mail will be sent", async () => {
    const said = async () => (await run()).lines.filter((line) => line.includes("no mail is sent"));
    expect(await said()).toHaveLength(1);
    await writeFile(options.settings, "BASE_URL=https://books.example\n");
    expect(await said()).toEqual([]);
  });
});

describe("a second deploy", () => {
  it("creates nothing and changes no secret", async () => {
    await run();
    const [secrets, config] = [{ ...account.secrets }, await readFile(options.config, "utf8")];
    account.calls = [];
    const { lines, created } = await run();
    expect([created, creations()]).toEqual([0, []]);
    expect(account.secrets).toEqual(secrets);
    expect(account.calls.at(-1)).not.toContain("--secrets-file");
    expect(await readFile(options.config, "utf8")).toBe(config);
    expect(lines.filter((line) => /created|made|written|applied$/.test(line))).toEqual([]);
  });

  it("sets secrets that the operator has added, and leaves the others", async () => {
    await run();
    const before = { ...account.secrets };
    const own = JSON.parse(await readFile(options.secrets, "utf8"));
    await writeFile(options.secrets, JSON.stringify({ ...own, MAIL_TOKEN: "a token of the mail service" }));
    await run();
    expect(account.secrets).toEqual({ ...before, MAIL_TOKEN: "a token of the mail service" });
  });

  it("replaces no secret that only the account has", async () => {
    await run();
    const secrets = { ...account.secrets };
    await rm(options.secrets);
    await run();
    expect(account.secrets).toEqual(secrets);
  });
});

describe("an interrupted deploy", () => {
  it("continues at any step when it is repeated, with the same end", async () => {
    await run();
    const { length } = account.calls;
    const whole = { ...account, calls: [], secrets: null };
    for (let failsAt = 1; failsAt <= length; failsAt += 1) {
      account = { ...newAccount(), failsAt };
      options = optionsOf();
      await expect(run()).rejects.toThrow();
      await run();
      expect({ ...account, calls: [], secrets: null, failsAt: 0 }).toEqual(whole);
      expect(account.secrets).toEqual(JSON.parse(await readFile(options.secrets, "utf8")));
    }
  });

  it("uses resources that a concurrent deploy has made", async () => {
    const racing = async (args: string[]) => {
      const answered = answer(account, args);
      return CHANGING.test(args.join(" ")) ? answer(account, args) : answered;
    };
    await deploy(options, { wrangler: racing, log: () => {} });
    expect(account.queues.filter((name) => name === "carrel-index")).toHaveLength(1);
    expect(account.deployed).not.toBeNull();
  });
});

describe("a dry run", () => {
  it("changes nothing, with or without an account", async () => {
    for (const loggedIn of [true, false]) {
      account = { ...newAccount(), loggedIn };
      options = optionsOf({ isDryRun: true });
      const before = JSON.stringify({ ...account, calls: [] });
      const { lines, created } = await run();
      expect(JSON.stringify({ ...account, calls: [] })).toBe(before);
      expect(created).toBeGreaterThan(15);
      expect(lines.filter((line) => line.includes("would be created"))).toHaveLength(created);
      await expect(stat(options.secrets)).rejects.toThrow(/ENOENT/);
    }
  });

  it("says after a deploy that nothing is missing", async () => {
    await run();
    options = { ...options, isDryRun: true };
    expect((await run()).created).toBe(0);
  });
});

describe("a refused deploy", () => {
  it("has no account", async () => {
    account.loggedIn = false;
    await expect(run()).rejects.toThrow(/Nobody is logged in/);
    expect(creations()).toEqual([]);
  });

  it.each([
    ["NO_SUCH=1", /no setting NO_SUCH/],
    ["LOAD_TOKEN=x", /LOAD_TOKEN is a secret/],
    ["BASE_URL", /not NAME=VALUE/],
    ["export NO_SUCH=1", /no setting NO_SUCH/],
    ['BASE_URL="https://books.example', /BASE_URL: quotes/],
    ['BASE_URL="https://books.example" # ours', /BASE_URL: quotes/],
    ["BASE_URL=https://books.example'", /BASE_URL: quotes/],
  ])("has settings such as %s", (text, problem) => {
    expect(() => parseSettings(text, { BASE_URL: "" })).toThrow(problem);
  });

  it.each([
    ["[]", /must be a JSON object/],
    ['{"LOAD_TOKEN":"short"}', /LOAD_TOKEN: Too small/],
    ['{"LOAD_TOKEN":7}', /must be a JSON object/],
    ['{"MAIL_TOKENS":"some secret of 16 letters"}', /no secret MAIL_TOKENS/],
    ['{"LOAD_TOKEN": "hidden', /must be a JSON object/],
  ])("has secrets such as %s", async (text, problem) => {
    await writeFile(options.secrets, text);
    const refused = expect(run()).rejects;
    await refused.toThrow(problem);
    await refused.not.toThrow(/hidden/);
    expect(creations()).toEqual([]);
  });

  it.each([
    'BASE_URL="https://books.example"',
    "export BASE_URL='https://books.example'",
    "  export  BASE_URL = https://books.example",
    "\uFEFFBASE_URL=https://books.example\r",
  ])("reads %j", (text) => {
    expect(parseSettings(text, { BASE_URL: "" })).toEqual({ BASE_URL: "https://books.example" });
  });

  it("keeps quotes within a value", () => {
    expect(parseSettings("BASE_URL=Jane's books", { BASE_URL: "" })).toEqual({ BASE_URL: "Jane's books" });
  });

  it.each([
    "BASE_URL=https://books.example/catalog",
    "BASE_URL=https://books.example/?a=1",
    "BASE_URL=https://user@books.example",
    "BASE_URL=ftp:books.example",
    "DUMPS=daily",
    "BASE_URL=books.example",
    "RATE_LIMIT_PER_MINUTE=many",
    "RECORD_PREFIX=ol",
    "IDENTITY_PROVIDER=forward",
  ])("has %s, and creates nothing", async (text) => {
    await writeFile(options.settings, text);
    await expect(run()).rejects.toThrow(new RegExp(`make no sense:\\n${text.split("=")[0]}: `));
    expect(creations()).toEqual([]);
  });
});

it("every secret of the service is known to the deploy, and is no setting of wrangler.toml", async () => {
  const { settingsSchema } = await importSource("src/worker/http/settings.ts");
  const names = Object.keys(settingsSchema.shape);
  const { vars } = await readConfig();
  const secrets = [...MADE_SECRETS, ...OTHER_SECRETS].toSorted();
  expect(names.filter((name) => /SECRET|TOKEN|_KEY$/.test(name)).toSorted()).toEqual(secrets);
  expect(secrets.filter((name) => name in vars)).toEqual([]);
});

it("the files of ids, secrets and backups are ignored by git", async () => {
  const ignored = (await readFile(path.join(ROOT, ".gitignore"), "utf8")).split("\n");
  expect(ignored).toEqual(
    expect.arrayContaining(["deploy.env", "deploy.secrets.json", "wrangler.deploy.toml", "/backup/"]),
  );
});

describe("the command", () => {
  it("runs wrangler in a separate process", async () => {
    const settings = path.join(folder, "command.env");
    await writeFile(settings, "BASE_URL=https://books.example\n");
    // Without a login only two commands of wrangler run: each is a process.
    const accountFile = path.join(folder, "command-account.json");
    await writeFile(accountFile, JSON.stringify({ ...newAccount(), loggedIn: false }));
    const env = {
      ...process.env,
      WRANGLER: path.join(ROOT, "test/support/node/fake-wrangler.ts"),
      FAKE_ACCOUNT: accountFile,
    };
    const args = ["scripts/deploy.ts", "--dry-run", "--settings", settings];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    expect(stdout).toContain("bucket carrel-covers: would be created");
    expect(stdout).toMatch(/things would be created; nothing was created at Cloudflare\.\n$/);
    const { calls } = JSON.parse(await readFile(accountFile, "utf8"));
    expect(calls).toEqual(["whoami --json", expect.stringMatching(/^deploy .* --dry-run$/)]);
    await expect(stat(path.join(ROOT, "wrangler.dry-run.toml"))).rejects.toThrow(/ENOENT/);
  });
});

describe("the check after a deploy", () => {
  const asked = async (statuses: number[]): Promise<string[]> => {
    const left = [...statuses];
    const server = http.createServer((_request, response) => {
      const status = left.length > 1 ? left.shift() : left[0];
      response.writeHead(status ?? 200, { "Content-Type": "application/json" });
      const cache = { ok: status === 200 };
      response.end(
        JSON.stringify({ status: "ok", software_version: "1", changes: 0, dependencies: { cache } }),
      );
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const lines: string[] = [];
    try {
      await checkDeployed(`http://127.0.0.1:${port}/`, (line) => void lines.push(line), 1);
    } finally {
      server.close();
    }
    return lines;
  };

  it("waits until the new version works, and names the next steps", async () => {
    const lines = await asked([503, 503, 200]);
    expect(lines).toEqual([expect.stringMatching(/says ok, version 1$/), expect.stringMatching(/^next:/)]);
  });

  it("fails with the failing check otherwise", async () => {
    await expect(asked([503])).rejects.toThrow(/does not work: 503 cache/);
  });
});
