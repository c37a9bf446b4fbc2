// Every route of test/wire/interface.md is called on a service with the starter catalog, and answers as its line says.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { FIRST_CALLS } from "../../src/worker/reference/first-calls.ts";
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
const write = read.extend({
  description: z.string(),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ example: z.unknown().optional() })) })
    .optional(),
});
const methods = ["post", "put", "delete"] as const;
const description = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: read.optional(),
      post: write.optional(),
      put: write.optional(),
      delete: write.optional(),
    }),
  ),
});

/** Writes that end what others need, and so come last: sessions, accounts and records. */
const ENDS = /delete|remove|logout|merge|password|changeEmail|endSession|readOnly|block|decide|undo/i;
/** Writes whose example needs what a new service does not have. */
const NEEDS = new Set(
  [
    // An image of another host, or a cover.
    "ilsCoverUpload uploadBookCover uploadAuthorCover uploadWorkCover addEditionCover addWorkCover addAuthorPhoto adminSiteLogo",
    // A code of an email, a sync key, an import, an item, a loan, an edit, a file, a backup, another service.
    "verifyEmail resetPassword kosyncUpdate chooseImported importArchiveItem borrowAdminAction undoChange",
    "undoChangePage adminRevertEdits restoreTable putImportFile followNow rewind",
    // A token, a code, an app that asks.
    "authorize exchangeToken revokeOAuthToken revokeToken tokenToCookie startOidcLogin",
    // A secret or a setting.
    "borrowNotify linkItem unlinkItem anonymize",
    // A choice of the person at the form, and a parameter that names the action.
    "adminDeadLettersForm adminPermissionsSave revertRecord",
    // They refuse always: they say where to go instead.
    "kosyncCreate addPersonalSeries editPersonalSeries changePersonalSeriesSeeds",
    // The password that the example before it has changed.
    "removeOwn",
  ].flatMap((names) => names.split(" ")),
);

/** Records of the world in place of those of an example, which only their reader can make. */
const OWN_RECORDS: readonly (readonly [path: RegExp, own: string])[] = [
  [/^\/people\/patron\/lists\/OL101L\.json/, "/people/patron/lists/$replacedList.json"],
  [/^\/people\/patron\/lists\/OL101L/, "/people/patron/lists/$changedList"],
  [/^\/lists\/OL101L/, "/lists/$changedCommunityList"],
  [/^\/check-ins\/1\/delete/, "/check-ins/$deletedCheckIn/delete"],
  [/^\/check-ins\/1/, "/check-ins/$otherCheckIn"],
  [/^\/works\/OL101W\/a-title\/delete/, "/works/OL103W/a-title/delete"],
];

/** Returns the path and query of an example. */
function addressOf(place: string, parameters: z.output<typeof parameter>[]): string {
  const query = new URLSearchParams();
  let address = place;
  for (const { name, in: where, required, example } of parameters) {
    if (where === "path") address = address.replace(`{${name}}`, String(example));
    else if (required) query.set(name, String(example));
  }
  return `${address}${query.size === 0 ? "" : `?${query}`}`;
}

/** Returns the order of a write: deletions come last, after all that end sessions, accounts and other records. */
function rankOf({ documented: { operationId } }: { documented: { operationId: string } }): number {
  return Number(ENDS.test(operationId)) + Number(operationId.startsWith("delete"));
}

function callerOf(place: string, { security, description: words }: z.output<typeof write>): string {
  if (security.some((one) => "OperatorToken" in one)) return "operator";
  if (security.some((one) => "CoversSecret" in one)) return "covers";
  if (security.length === 0 && place.startsWith("/account/")) return "anonymous";
  const isForStaff = /^\/(?:lists|import)\/|Public|the role|API group|import rights|Administrators/;
  return isForStaff.test(`${place} ${words}`) ? "admin" : "patron";
}

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
    "suggestBlurb suggestThumbnail searchInsidePage proposal siteLogo siteText authorizePage finishOidcLogin",
  ].flatMap((names) => names.split(" ")),
);

function unescape(text: string): string {
  return text
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Returns the answers that the reference shows beside its samples, by operation. */
function answersOf(page: string): Map<string, string> {
  const pattern = /(?:id="([\w-]+)"><h3>|<h2 id="([\w-]+)">)|<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs;
  const answers = new Map<string, string>();
  let id = "";
  for (const [, call, section, answer] of page.matchAll(pattern)) {
    id = call ?? section ?? id;
    if (answer !== undefined) answers.set(id, unescape(answer));
  }
  return answers;
}

/** Returns true if an answer has the members and types of the one that is shown. An empty list fits any list. */
function isLike(shown: unknown, answer: unknown): boolean {
  if (Array.isArray(shown)) {
    return Array.isArray(answer) && answer.every((element) => isLike(shown[0], element));
  }
  if (typeof shown !== "object" || shown === null) return typeof shown === typeof answer;
  const [names, members] = [Object.keys(shown), new Map(Object.entries(Object(answer)))];
  return (
    names.join(" ") === [...members.keys()].join(" ") &&
    Object.entries(shown).every(([name, value]) => isLike(value, members.get(name)))
  );
}

/** Calls whose answers the reference does not make itself, because they need an account. */
const RECORDED = new Set([
  "ownPreferences",
  "exchangeToken",
  "loginJson",
  ...FIRST_CALLS.filter(({ answer }) => answer !== undefined).map(({ operation }) => operation),
]);

/** Returns the samples of the reference in one language, by the operation that they call. */
function samplesOf(
  page: string,
  language: string,
  values: Readonly<Record<string, string>>,
): Map<string, string> {
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
  const filled = (text: string) =>
    Object.entries(values).reduce((rest, [name, value]) => rest.replaceAll(name, value), text);
  return new Map([...samples].map(([name, sample]) => [name, filled(sample)]));
}

/** Signs in as a person who makes a token and allows an app; what the samples say in capitals. */
async function credentialsAt(url: string): Promise<Record<string, string>> {
  const post = (route: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(url + route, { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" });
  const person = { username: "patron", password: "patron" };
  const login = await fetch(`${url}/account/login.json`, { method: "POST", body: JSON.stringify(person) });
  const Cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const made = await post(
    "/account/tokens",
    { name: "samples", scope: "account", password: person.password },
    { Cookie, Accept: "application/json" },
  );
  const { token } = (await made.json()) as { token: string };
  const redirect = "http://127.0.0.1:9/back";
  const registered = await fetch(`${url}/oauth2/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ redirect_uris: [redirect], token_endpoint_auth_method: "none" }),
  });
  const { client_id: id } = (await registered.json()) as { client_id: string };
  const verifier = randomBytes(32).toString("base64url");
  const allowed = await post(
    "/oauth2/authorize",
    {
      decision: "allow",
      response_type: "code",
      client_id: id,
      asked: "read",
      scope: "read",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    },
    { Cookie },
  );
  const code = new URL(allowed.headers.get("Location") ?? "").searchParams.get("code") ?? "";
  return {
    USERNAME: person.username,
    PERSONAL_TOKEN: token,
    PASSWORD: person.password,
    CLIENT_ID: id,
    VERIFIER: verifier,
    CODE: code,
  };
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
    const covers = (await readFile(path.join(state.folder, "state", "covers-secret"), "utf8")).trim();
    world.current = new InterfaceWorld(url, token, covers);
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
        const page = await (await fetch(`${url}/docs`)).text();
        const values = await credentialsAt(url);
        const [samples, answers] = [samplesOf(page, language, values), answersOf(page)];
        expect(samples.size).toBe(16);
        const outputs = new Map(
          [...samples].map(([id, sample]) => [id, runSample(language, folder, sample)]),
        );
        for (const [id, output] of outputs) {
          if (id === "coverImageB") expect(statSync(path.join(folder, "cover.jpg")).size).toBeGreaterThan(0);
          else expect(output).toMatch(/^[[{]/);
          expect(output).not.toMatch(/detail/);
          // The other languages print it in forms of their own.
          if (language !== "curl" || id === "coverImageB") continue;
          const [shown, answer]: [string, unknown] = [answers.get(id) ?? "", JSON.parse(output)];
          const isSame = RECORDED.has(id)
            ? isLike(JSON.parse(shown), answer)
            : JSON.stringify(answer, null, 2).startsWith(shown.replace(/\n…$/, ""));
          expect(isSame, `${id}: ${output} instead of ${shown}`).toBe(true);
        }
        expect(answers.size).toBe(15);
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
        const caller = get.security.some((one) => "OperatorToken" in one) ? "operator" : "admin";
        const target = addressOf(place, get.parameters);
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

  it(
    "every write of /openapi.json has an example that works",
    async () => {
      const url = state.service?.url("main site") ?? "";
      const { paths } = description.parse(await (await fetch(`${url}/openapi.json`)).json());
      const writes = Object.entries(paths)
        .flatMap(([place, item]) =>
          methods.flatMap((method) => {
            const documented = item[method];
            return documented === undefined ? [] : [{ place, method, documented }];
          }),
        )
        .toSorted((a, b) => rankOf(a) - rankOf(b));
      expect(writes.length).toBeGreaterThan(170);
      const failed: string[] = [];
      for (const { place, method, documented } of writes) {
        const { operationId, parameters, requestBody } = documented;
        const content = requestBody?.content ?? {};
        const type = ["application/json", ...Object.keys(content)].find((name) => name in content);
        let target = addressOf(place, parameters);
        for (const [example, own] of OWN_RECORDS) target = target.replace(example, own);
        const body = type === undefined ? undefined : content[type]?.example;
        const caller = callerOf(place, documented);
        const response = await world.current!.send(caller, {
          method: method.toUpperCase(),
          path: target,
          type,
          body,
        });
        const text = await response.text();
        if (response.status >= 400 !== NEEDS.has(operationId)) {
          failed.push(`${operationId} as ${caller}: ${response.status} ${target} ${text.slice(0, 200)}`);
        }
      }
      expect(failed).toEqual([]);
    },
    EXAMPLES_MS,
  );
});
