// `npm audit` itself, against a local registry, and the readings of its output.
import { mkdtempSync } from "node:fs";
import { type Server, createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { knownHoles, readAudit } from "../../../scripts/lib/audit.mjs";
import lock from "../../../package-lock.json" with { type: "json" };

let registry: Server | undefined;
afterEach(() => registry?.close());

/** Runs the audit against a registry with these advisories, by package. Without advisories it answers 405. */
async function auditWith(advisories?: Record<string, unknown>) {
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
  {
    id: 1,
    url: "https://x.test/1",
    title: "A vulnerability",
    severity: "high",
    vulnerable_versions: versions,
  },
];

describe("the audit of `npm run check`", () => {
  it("reports vulnerable packages of the service, but not fixed versions", async () => {
    const { version } = lock.packages["node_modules/hono"];
    const advisories = { hono: advisory(`<=${version}`), zod: advisory("<1.0.0") };
    expect(await auditWith(advisories)).toEqual({ holes: ["hono: high"] });
  });

  it("reports a registry that refuses the audit", async () => {
    expect(await auditWith()).toEqual({ unknown: expect.stringContaining("405") });
  });
});

describe("readAudit", () => {
  it.each([
    ["no vulnerabilities", '{"vulnerabilities":{}}', { holes: [] }],
    [
      "an unreachable registry",
      '{"error":{"summary":"connect ECONNREFUSED"}}',
      { unknown: "connect ECONNREFUSED" },
    ],
    ["npm killed by its time limit", "", { unknown: "it does not answer" }],
  ])("reads the output for %s", (_case, output, expected) => {
    expect(readAudit(output)).toEqual(expected);
  });
});

it("the lock file has one axios, at the overriding version", () => {
  const axios = Object.entries(lock.packages).filter(([name]) => name.endsWith("node_modules/axios"));
  expect(axios.map(([name]) => name)).toEqual(["node_modules/axios"]);
});
