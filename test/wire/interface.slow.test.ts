// Every route of test/wire/interface.md is called on a service with the starter catalog, and answers as its line says.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { knownToken } from "../../scripts/lib/local-state.ts";
import { interfaceLines } from "../support/node/interface-lines.ts";
import { reportSkip } from "../support/node/skips.ts";
import { InterfaceWorld, kindOf } from "../support/node/interface-world.ts";

const READY_SECONDS = 180;
const PREPARING_MS = 240_000;
const EXAMPLES_MS = 120_000;
const lines = interfaceLines();

const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean(),
  example: z.unknown().optional(),
});
const read = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
});
const description = z.object({ paths: z.record(z.string(), z.object({ get: read.optional() })) });

/** Reads that never end. */
const STREAMS = new Set(["changesStream"]);
/** Reads about what readers and operators make, which the starter catalog does not have: 400, 401, 403, 404 or 422. */
const NOTHING_THERE = new Set(
  [
    "securityText sitemapFile namedTag backupTable backupFile borrowNowhere streamFile readerAuth",
    "loanChanges prices kosyncAuthorize kosyncRead shelfFeed verifyEmailPage resetPasswordPage",
    "showRecords approveBatchLink importBatchWarnings importBatch coverMetadataB coverMetadataA",
    "coverMetadataW pendingLibrary adminPersonRemoved adminResolveRedirects noAdminPage shelf likes",
    "people shelfPageForPeople readPeopleList readList peopleListSeeds listSeeds peopleSeriesSeeds",
    "peopleListEditions listEditions peopleListSubjects listSubjects embedPeopleList embedList",
    "exportPeopleList exportList peopleListFeed listFeed editListForm editCommunityListForm",
    "editListFormAtPage editCommunityListFormAtPage peopleListPage listPage readPublisher",
    "suggestBlurb suggestThumbnail searchInsidePage",
  ].flatMap((names) => names.split(" ")),
);

/** Returns the samples of the reference in one language, by the operation that they call. */
function samplesOf(page: string, language: string): Map<string, string> {
  const unescape = (text: string) =>
    text
      .replaceAll("&#39;", "'")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  const pattern = new RegExp(
    `(?:id="([\\w-]+)"><h3>|<h2 id="([\\w-]+)">)|<summary>${language}</summary><pre[^>]*><code>(.*?)</code>`,
    "gs",
  );
  const samples = new Map<string, string>();
  let id = "";
  for (const [, call, section, sample] of page.matchAll(pattern)) {
    id = call ?? section ?? id;
    if (sample !== undefined) samples.set(id, unescape(sample));
  }
  const filled = (text: string) => text.replaceAll("USERNAME", "patron").replaceAll("PASSWORD", "patron");
  return new Map([...samples].map(([name, sample]) => [name, filled(sample)]));
}

let login = "";

/** Runs a sample in a folder and returns its output. One with a session comes after the one that opens it. */
function runSample(language: "curl" | "JavaScript" | "Python", folder: string, sample: string): string {
  const isLogin = /login\.json/.test(sample);
  if (isLogin) login = sample;
  const needsLogin = !isLogin && /\bcookie\b|\bsession\./.test(sample);
  const silent =
    language === "Python"
      ? login.replace(/print\((.*)\.json\(\)\)/, "$1")
      : login.replace(/console\.log.*/, "");
  const program = needsLogin ? `${silent}\n${sample}` : sample;
  const [command, args] = {
    curl: ["bash", ["-c", sample.replaceAll("curl -L", "curl -sSL")]],
    JavaScript: [process.execPath, ["--input-type=module", "-e", program]],
    Python: ["python3", ["-c", program]],
  }[language] as [string, string[]];
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}\n${stderr}`);
  return stdout.trim();
}

function hasRequests(): boolean {
  return spawnSync("python3", ["-c", "import requests"]).status === 0;
}

describe("test/wire/interface.md", () => {
  it("says of every route how it stands", () => {
    const states = lines.filter(({ state }) => !/^(?:answers|differs: \S.+|not served: \S.+)$/.test(state));
    expect(states.map(({ route, state }) => `${route}: ${state}`)).toEqual([]);
  });
});

describe("every route of test/wire/interface.md", () => {
  const state = { folder: "", service: undefined as ServiceProcess | undefined };
  const world = { current: undefined as InterfaceWorld | undefined };

  beforeAll(async () => {
    state.folder = await mkdtemp(path.join(os.tmpdir(), "carrel-interface-"));
    state.service = ServiceProcess.start(["--state", path.join(state.folder, "state")]);
    const url = await state.service.ready(READY_SECONDS);
    const token = (await knownToken(path.join(state.folder, "state"))) ?? "";
    world.current = new InterfaceWorld(url, token);
    await world.current.prepare();
  }, PREPARING_MS);
  afterAll(() => state.service?.kill());

  describe("the samples of /docs", () => {
    it.each(["curl", "JavaScript", "Python"] as const)(
      "run in %s",
      async (language) => {
        if (language === "Python" && !hasRequests()) return reportSkip("requests");
        const url = state.service?.url("main site") ?? "";
        const folder = await mkdtemp(path.join(state.folder, "samples-"));
        const samples = samplesOf(await (await fetch(`${url}/docs`)).text(), language);
        expect(samples.size).toBe(14);
        const outputs = new Map(
          [...samples].map(([id, sample]) => [id, runSample(language, folder, sample)]),
        );
        for (const [id, output] of outputs) {
          if (id === "coverImageB") expect(statSync(path.join(folder, "cover.jpg")).size).toBeGreaterThan(0);
          else expect(output).toMatch(/^[[{]/);
          expect(output).not.toMatch(/detail/);
        }
      },
      EXAMPLES_MS,
    );
  });

  it(
    "every read of /openapi.json has an example that works",
    async () => {
      const url = state.service?.url("main site") ?? "";
      const { paths } = description.parse(await (await fetch(`${url}/openapi.json`)).json());
      const failed: string[] = [];
      for (const [place, { get }] of Object.entries(paths)) {
        if (get === undefined || STREAMS.has(get.operationId)) continue;
        const query = new URLSearchParams();
        let address = place;
        for (const { name, in: where, required, example } of get.parameters) {
          if (where === "path") address = address.replace(`{${name}}`, String(example));
          else if (required) query.set(name, String(example));
        }
        const caller = get.security.some((one) => "OperatorToken" in one) ? "operator" : "admin";
        const target = `${address}${query.size === 0 ? "" : `?${query}`}`;
        const response = await world.current!.get(caller, target);
        await response.body?.cancel();
        if (response.status >= (NOTHING_THERE.has(get.operationId) ? 500 : 400)) {
          failed.push(`${get.operationId}: ${response.status} ${target}`);
        }
      }
      expect(failed).toEqual([]);
    },
    EXAMPLES_MS,
  );

  it.each(lines.map((line) => [`${line.method} ${line.route} (${line.example.path})`, line] as const))(
    "%s",
    async (_name, line) => {
      const response = await world.current!.call(line);
      const { status, kind } = line.expected;
      const found = `${response.status} ${await kindOf(response)}`.trim();
      expect(found).toBe(`${status} ${kind}`.trim());
      // Text declares UTF-8, even if embedded; the policy limits every body that a browser might show as a page.
      const type = response.headers.get("Content-Type") ?? "";
      if (/^(?!image).*(?:text|xml)/.test(type)) expect(type).toMatch(/; charset="?utf-8"?$/);
      expect(response.headers.get("Content-Security-Policy")).toContain("frame-ancestors");
      expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
      if (status >= 300 && status < 400) expect(response.headers.get("Location")).not.toBeNull();
    },
  );
});
