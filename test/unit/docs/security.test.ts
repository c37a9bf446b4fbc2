// docs/security.md says of every requirement of OWASP ASVS 5.0.0, levels 1 and 2, how the service stands to it.
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { parse } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { sourceFiles } from "../../../scripts/lib/sources.ts";
import { newApiKey, newCode } from "../../../src/worker/accounts/secret.ts";
import { systemSources } from "../../../src/worker/http/bindings.ts";

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const DOCUMENT = read("docs/security.md");

/** Number of requirements of levels 1 and 2 by chapter and section. They come first: sections are sorted by level. */
const REQUIREMENTS = `
  1: 2 9 11 3 2 | 2: 3 3 4 1 | 3: 0 2 4 6 5 0 2 | 4: 3 1 2 4 | 5: 1 3 2 3 | 6: 3 12 4 4 5 3 0 4 | 7: 3 4 2 5 2 2
  8: 2 3 1 1 | 9: 3 4 | 10: 2 2 4 11 5 2 3 | 11: 2 3 3 4 1 1 0 | 12: 3 2 4 | 13: 1 5 2 5 | 14: 2 4 3 | 15: 3 3 7 0
  16: 1 5 4 3 3 | 17: 1 4 2`;
const ids = [...REQUIREMENTS.matchAll(/(\d+):((?: \d+)+)/g)].flatMap(([, chapter, sections = ""]) =>
  sections
    .trim()
    .split(" ")
    .flatMap((count, section) =>
      Array.from({ length: Number(count) }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
    ),
);

const STATES = ["met", "not applicable", "left out"];
const rows = [...DOCUMENT.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$/gm)].map(
  ([, id = "", what = "", state = "", where = ""]) => ({ id, what, state, where }),
);
const filesOf = (where: string): string[] => [...where.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);

describe("docs/security.md", () => {
  it("has every requirement once, in order", () => {
    expect(ids).toHaveLength(253);
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  it("has correct totals", () => {
    const counted = STATES.map((state) => `${rows.filter((row) => row.state === state).length} ${state}`);
    expect(DOCUMENT).toContain(`${counted.join(", ")}.`);
    expect(rows.filter(({ state }) => !STATES.includes(state))).toEqual([]);
  });

  it("names code and a test for each met requirement, and a reason for others", () => {
    const vague = rows.filter(({ state, where }) => {
      if (state !== "met") return where.length < 5;
      const kinds = new Set(
        filesOf(where).map((file) => (/^test\/.*\.test\.ts$/.test(file) ? "test" : "code")),
      );
      return kinds.size < 2;
    });
    expect(vague).toEqual([]);
  });

  it("names existing files", () => {
    const named = rows.filter(({ state }) => state === "met").flatMap(({ where }) => filesOf(where));
    expect(named.length).toBeGreaterThan(300);
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it("lists every secret and every way to log in", () => {
    const [, table = ""] = read("docs/settings.md").split("| Secret |");
    const secrets = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name);
    expect(secrets.length).toBeGreaterThan(10);
    expect(secrets.filter((name) => !DOCUMENT.includes(`\`${name}\``))).toEqual([]);
    const routes = [
      ...read("test/unit/scripts/routes.txt").matchAll(/^POST +public +\S+ +(\S*(?:login|ils_)\S*)$/gm),
    ];
    const ways = ["/account/login", "/account/login.json", "/account/login/otp/", "/api/ils_"];
    expect(routes.length).toBeGreaterThan(4);
    expect(routes.filter(([, route = ""]) => !ways.some((way) => route.startsWith(way)))).toEqual([]);
  });
});

describe("claims of docs/security.md", async () => {
  const sources = await sourceFiles("src", /\.ts$/);
  const scripts = await sourceFiles("public/static", /\.js$/);
  const withText = (pattern: RegExp): string[] =>
    [...sources, ...scripts].filter(({ text }) => pattern.test(text)).map(({ name }) => name);

  it("no text becomes code or markup, and no randomness is predictable", () => {
    expect(scripts.length).toBeGreaterThan(1);
    const forbidden =
      /\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|Math\.random/;
    expect(withText(forbidden)).toEqual([]);
  });

  it("secret values have 128 random bits", () => {
    const bits = (text: string, encoding: "hex" | "base64url"): number =>
      Buffer.from(text, encoding).length * 8;
    expect(bits(systemSources.newSecret(), "base64url")).toBe(128);
    expect([newCode(), newApiKey().secret].map((code) => bits(code, "hex"))).toEqual([128, 128]);
  });

  it("hashes and ciphers are those of the table", () => {
    const text = sources.map((source) => source.text).join("\n");
    const named = text.match(
      /"(?:sha-?\d+|md\d|hmac|aes\b[-\w]*|rsa\b[-\w]*|ec(?:dsa|dh)|ed25519|pbkdf2|3?des)"/gi,
    );
    expect([...new Set(named)].toSorted()).toEqual(['"AES-GCM"', '"HMAC"', '"SHA-256"', '"md5"', '"sha256"']);
    expect(withText(/"md5"/).toSorted()).toEqual([
      "src/worker/accounts/sync-key.ts",
      "src/worker/lending/reader.ts",
    ]);
  });

  it("the vulnerabilities of libraries are looked up every week", () => {
    expect(parseYaml(read(".github/workflows/audit.yml"))).toMatchObject({
      on: { schedule: [{ cron: "17 4 * * 1" }] },
      jobs: { audit: { steps: [{}, { run: expect.stringContaining("npm audit --omit=dev") }] } },
    });
  });

  it("libraries are pinned versions from the registry", () => {
    const { "": own, ...packages }: Record<string, { resolved?: string; integrity?: string }> = JSON.parse(
      read("package-lock.json"),
    ).packages;
    expect(own).toBeDefined();
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    // Without an address a package is the registry's.
    const foreign = Object.entries(packages).filter(
      ([, { resolved = "", integrity }]) =>
        integrity === undefined || !/^(?:https:\/\/registry\.npmjs\.org\/|$)/.test(resolved),
    );
    expect(foreign).toEqual([]);
  });

  it("only public files are uploaded beside the code", async () => {
    const { assets } = parse(read("wrangler.toml")) as { assets: { directory: string } };
    expect(assets.directory).toBe("./public");
    const files = await readdir(path.join(ROOT, "public"), { recursive: true });
    expect(files.filter((file) => /(?:^|\/)\.|\.(?:map|ts|toml|env)$/.test(file))).toEqual([]);
  });
});
