import { createEngine } from "../../../db/search/engine.ts";
import { readIndexState, readShard } from "../../../db/search/generation.ts";
import { TooBroadError } from "../../../search/plan/too-broad.ts";
import { SolrRequestError } from "../../../search/solr/queries.ts";
import { MalformedUpdate } from "../../../search/solr/update-commands.ts";
import { storesOf, systemSources } from "../../http/bindings.ts";
import { bodyText } from "../../http/bytes.ts";
import { CarrelError, methodNotAllowed } from "../../http/errors.ts";
import { settingsOf } from "../../http/settings.ts";
import { guarded } from "../../search/guarded.ts";
import { type ErrorBody, answering, jsonResponse, pathOf } from "../answering.ts";
import type { EngineCall } from "./call.ts";
import { exportAll } from "./export.ts";
import { query } from "./query.ts";
import { getDocuments, select } from "./select.ts";
import { update } from "./update.ts";

/** Longest body of a request, in bytes. */
const ENGINE_BODY_BYTES = 16 * 1024 * 1024;
const PATH = /^\/solr(?:\/[\w.-]+)??\/(admin\/ping|update\/json(?:\/docs)?|[\w-]+)\/?$/;
const FORM = /^application\/x-www-form-urlencoded\b/;

/** Errors that say what is wrong with a request. */
const REFUSALS = [SolrRequestError, MalformedUpdate, TooBroadError];

type Call = (call: EngineCall) => Promise<Response>;

const asJson = (run: (call: EngineCall) => Promise<Record<string, unknown>>): Call => {
  return async (call) => jsonResponse(await run(call));
};

const READING = ["GET", "POST"];

/** The search engine's interface, for any name of a core: there is one index (Q81). */
const CALLS = new Map<string, { readonly methods: readonly string[]; readonly call: Call }>([
  ["select", { methods: READING, call: asJson(select) }],
  ["get", { methods: READING, call: asJson(getDocuments) }],
  ["query", { methods: READING, call: asJson(query) }],
  ["export", { methods: READING, call: exportAll }],
  ["update", { methods: READING, call: asJson(update) }],
  ["update/json", { methods: ["POST"], call: asJson(update) }],
  ["update/json/docs", { methods: ["POST"], call: asJson(update) }],
]);

/** An error in the form that clients of such engines read. */
const errorBody: ErrorBody = ({ status: code, message: msg }) => {
  const metadata = ["error-class", "org.apache.solr.common.SolrException"];
  return { responseHeader: { status: code, QTime: 0 }, error: { metadata, msg, code } };
};

/** Answers a call of the search engine. It is a service for the service: not for the public. */
export function searchEngine(request: Request, env: Env): Promise<Response> {
  return answering(request, errorBody, async () => {
    const pathname = pathOf(request);
    const name = pathname === "/" ? "admin/ping" : PATH.exec(pathname)?.[1];
    if (name === "admin/ping") return ping(env);
    const found = CALLS.get(name ?? "");
    if (found === undefined) throw refusal(404, `no handler for ${pathname}`);
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (!found.methods.includes(method)) throw methodNotAllowed(found.methods);
    return guarded(() => refusing(async () => found.call(await engineCall(request, env))), "");
  });
}

async function ping(env: Env): Promise<Response> {
  const shard = await readShard(storesOf(env).search);
  return jsonResponse({ responseHeader: { status: 0, QTime: 0 }, status: "OK", ...shard });
}

async function refusing(run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!REFUSALS.some((kind) => error instanceof kind)) throw error;
    throw refusal(400, error instanceof Error ? error.message : "");
  }
}

function refusal(status: number, message: string): CarrelError {
  return new CarrelError(status, "refused", { message });
}

async function engineCall(request: Request, env: Env): Promise<EngineCall> {
  const [stores, settings] = [storesOf(env), settingsOf(env)];
  const parameters = new URLSearchParams(new URL(request.url).searchParams);
  const body = request.method === "POST" ? await bodyText(request, ENGINE_BODY_BYTES) : "";
  const isForm = FORM.test(request.headers.get("Content-Type") ?? "");
  if (isForm) for (const [name, value] of new URLSearchParams(body)) parameters.append(name, value);
  const { live } = await readIndexState(stores.search);
  const engine = createEngine(stores.search, live, { prefix: settings.RECORD_PREFIX });
  const { now } = systemSources;
  return { request, parameters, body: isForm ? "" : body, engine, stores, settings, started: now(), now };
}
