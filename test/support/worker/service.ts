import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createApp } from "../../../src/worker/app.ts";
import type { Site } from "../../../src/worker/http/site.ts";
import { type Sources, systemSources } from "../../../src/worker/http/bindings.ts";

/** When records were made and last changed, unless they say otherwise. */
export const TIME = "2026-11-01T00:00:00.000000";
export const ORIGIN = "http://carrel.test";

/** A service under test whose clock the test decides. */
export interface TestService {
  /** Milliseconds since the epoch. */
  now: number;
  /** Calls the main site, under another name if `path` is a URL; redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Calls it and parses the JSON of the answer. */
  json(path: string, init?: RequestInit): Promise<unknown>;
  /** Loads records, given as objects with at least key and type. */
  load(...records: TestRecord[]): Promise<LoadAnswer>;
  /** Loads records and leaves the search index behind, until the test updates it. */
  loadUnindexed(...records: TestRecord[]): Promise<LoadAnswer>;
  /** Sends text to the bulk route. */
  loadText(text: string): Promise<Response>;
}

export type TestRecord = { key: string; type: string; revision?: number; modified?: string } & Record<
  string,
  unknown
>;
interface LoadAnswer {
  changes: number[];
  created: number;
  updated: number;
  unchanged: number;
  kept: number;
  rejected: { line: number; reason: string }[];
}

/**
 * Starts a service on this test file's stores, with an isolate cache of its own: two of them are two isolates.
 * The edge cache, which they share, is off unless a test turns it on. `change` may wrap the site's `fetch`, through which
 * calls of its own routes go too.
 */
export function testService(
  settings: Partial<Cloudflare.Env> = {},
  change: (site: Site) => void = () => {},
): TestService {
  const service = { now: Date.parse("2026-11-21T12:00:00Z") };
  let requests = 0;
  const sources: Sources = {
    ...systemSources,
    now: () => service.now,
    newRequestId: () => `test-${(requests += 1)}`,
  };
  const bindings = { ...env, EDGE_CACHE: "off", ...settings };
  const app = createApp("OL", { sources });
  change(app);
  const call = async (path: string, init?: RequestInit): Promise<Response> => {
    const context = createExecutionContext();
    const response = await app.fetch(
      new Request(URL.canParse(path) ? path : ORIGIN + path, { redirect: "manual", ...init }),
      bindings,
      context,
    );
    await waitOnExecutionContext(context);
    return response;
  };
  const send = (path: string, text: string): Promise<Response> =>
    call(path, { method: "POST", body: text, headers: { Authorization: `Bearer ${env.LOAD_TOKEN}` } });
  const load = async (path: string, records: readonly TestRecord[]): Promise<LoadAnswer> => {
    const answer = await send(path, records.map(dumpLine).join("\n"));
    if (answer.status !== 200) throw new Error(`load: ${answer.status} ${await answer.text()}`);
    return answer.json<LoadAnswer>();
  };
  return Object.assign(service, {
    fetch: call,
    loadText: (text: string) => send("/system/load", text),
    json: async (path: string, init?: RequestInit) => (await call(path, init)).json(),
    load: (...records: TestRecord[]) => load("/system/load", records),
    loadUnindexed: (...records: TestRecord[]) => load("/system/load?index=later", records),
  });
}

/** A line of a dump for a record given in short. */
export function dumpLine(record: TestRecord): string {
  const { key, type, revision = 1, modified = TIME } = record;
  return [type, key, revision, modified, JSON.stringify(documentOf(record))].join("\t");
}

/** The document that is stored of a record given in short. */
export function documentOf({ key, type, revision = 1, modified = TIME, ...members }: TestRecord) {
  return {
    key,
    type: { key: type },
    ...members,
    revision,
    latest_revision: revision,
    created: members["created"] ?? { type: "/type/datetime", value: TIME },
    last_modified: { type: "/type/datetime", value: modified },
  };
}
