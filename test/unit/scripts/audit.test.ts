// `npm audit` as it is, with a registry of the test's own.
import { mkdtempSync } from "node:fs";
import { type Server, createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { knownHoles } from "../../../scripts/lib/audit.mjs";
import lock from "../../../package-lock.json" with { type: "json" };

let registry: Server | undefined;
afterEach(() => registry?.close());

/** Asks a registry that knows these advisories, by package. */
async function asked(advisories: Record<string, unknown> | undefined) {
  registry = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? "");
    const isBulk = request.method === "POST" && name.endsWith("/advisories/bulk");
    if (advisories === undefined) response.writeHead(405);
    response.end(JSON.stringify(isBulk ? (advisories ?? {}) : { name, versions: {}, "dist-tags": {} }));
  });
  await new Promise<void>((resolve) => registry?.listen(0, "127.0.0.1", resolve));
  const { port } = registry.address() as { port: number };
  return knownHoles({
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: mkdtempSync(path.join(os.tmpdir(), "npm-")),
  });
}

const advisory = (versions: string) => [
  { id: 1, url: "https://x.test/1", title: "A hole", severity: "high", vulnerable_versions: versions },
];

describe("the audit of `npm run check`", () => {
  it("names packages of the service that have a known hole", async () => {
    const { version } = lock.packages["node_modules/hono"];
    expect(await asked({ hono: advisory(`<=${version}`) })).toEqual({ holes: ["hono: high"] });
  });

  it("passes where all is well, and where the hole is older", async () => {
    expect(await asked({})).toEqual({ holes: [] });
    expect(await asked({ hono: advisory("<1.0.0") })).toEqual({ holes: [] });
  });

  it("says so where the registry cannot be asked", async () => {
    expect(await asked(undefined)).toEqual({ unknown: expect.stringContaining("405") });
    const nobody = { ...process.env, npm_config_registry: "http://127.0.0.1:9/" };
    expect(await knownHoles(nobody)).toEqual({ unknown: expect.stringMatching(/./) });
  });
});

it("nothing in the lock file brings an axios with known holes", () => {
  const axios = Object.entries(lock.packages).filter(([name]) => name.endsWith("node_modules/axios"));
  expect(axios.map(([name]) => name)).toEqual(["node_modules/axios"]);
});
