import type { Json } from "../../../catalog/record.ts";
import { createEngine } from "../../../db/search/engine.ts";
import { readIndexState } from "../../../db/search/generation.ts";
import type { SearchEngine } from "../../../search/engine.ts";
import { TooBroadError } from "../../../search/plan/too-broad.ts";
import { SolrRequestError } from "../../../search/solr/queries.ts";
import { MalformedUpdate } from "../../../search/solr/update-commands.ts";
import { bodyText } from "../../http/bytes.ts";
import { CarrelError } from "../../http/errors.ts";
import { type AnyOperation, type RequestContext, operation } from "../../http/operation.ts";
import type { Reply } from "../../http/reply.ts";
import { guarded } from "../../search/guarded.ts";

/** Longest body of a request, in bytes. */
const ENGINE_BODY_BYTES = 16 * 1024 * 1024;
const FORM = /^application\/x-www-form-urlencoded\b/;
/** Errors that say what is wrong with a request. */
const REFUSALS = [SolrRequestError, MalformedUpdate, TooBroadError];

/** What a call of the search engine works with. */
export interface EngineCall {
  readonly context: RequestContext;
  /** Parameters of the address and of a form in the body. */
  readonly parameters: URLSearchParams;
  /** Body that is no form, as text. */
  readonly body: string;
  /** The engine that answers. */
  readonly engine: SearchEngine;
}

/** A call of the search engine as an operation. */
export function engineCall(id: string, answer: (call: EngineCall) => Promise<Reply>): AnyOperation {
  return operation({
    id,
    summary: id,
    tag: "search engine",
    responses: {},
    inReadOnly: true,
    handle: (_input, context) =>
      guarded(async () => {
        try {
          return await answer(await received(context));
        } catch (error) {
          if (!REFUSALS.some((kind) => error instanceof kind)) throw error;
          throw refusal(400, error instanceof Error ? error.message : "");
        }
      }, ""),
  });
}

/** An error that says in words what is wrong with a request. */
export function refusal(status: number, message: string): CarrelError {
  return new CarrelError(status, "refused", { message });
}

async function received(context: RequestContext): Promise<EngineCall> {
  const { stores, settings, request } = context;
  const parameters = new URLSearchParams(new URL(request.url).searchParams);
  const body = request.method === "POST" ? await bodyText(request, ENGINE_BODY_BYTES) : "";
  const isForm = FORM.test(request.headers.get("Content-Type") ?? "");
  if (isForm) for (const [name, value] of new URLSearchParams(body)) parameters.append(name, value);
  const { live } = await readIndexState(stores.search);
  const engine = createEngine(stores.search, live, { prefix: settings.RECORD_PREFIX });
  return { context, parameters, body: isForm ? "" : body, engine };
}

/** Parameters as answers echo them: one text, or a list of those that are repeated. */
export function echoed(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** A number of a document; 0 for one that it lacks. */
export function numberOf(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** Head of an answer. */
export function responseHeader({ context }: EngineCall, more: Record<string, unknown> = {}) {
  const { now, sources } = context;
  return { status: 0, QTime: Math.max(0, sources.now() - now), ...more };
}
