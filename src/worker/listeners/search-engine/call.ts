import { MIB } from "../../../catalog/units.ts";
import type { Json } from "../../../catalog/record.ts";
import type { SearchEngine } from "../../../search/engine.ts";
import { OTHER_FORMS } from "../../../search/solr/forms.ts";
import { SolrRequestError, checkParameters } from "../../../search/solr/parameters.ts";
import { bodyText } from "../../http/bytes.ts";
import { Failure } from "../../http/failure.ts";
import { type AnyOperation, type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, json } from "../../http/reply.ts";
import { newestEngine } from "../../search/engine.ts";
import { withSearchErrors } from "../../search/guarded.ts";
import { TextError } from "../../../catalog/texts.ts";

const ENGINE_BODY_BYTES = 16 * MIB;
const FORM = /^application\/x-www-form-urlencoded\b/;

export interface EngineCall {
  readonly context: RequestContext;
  readonly parameters: URLSearchParams;
  readonly body: string;
  readonly engine: SearchEngine;
}

/**
 * Wraps a call of the search engine as an operation. Refuses unsupported parameters before doing anything. `forms`:
 * supported values of `wt`; `ownParameters`: parameters that only this call has.
 */
export function engineCall(
  id: string,
  answer: (call: EngineCall) => Promise<Reply>,
  {
    forms = ["json", "xml"],
    ownParameters = [],
  }: { forms?: readonly string[]; ownParameters?: readonly string[] } = {},
): AnyOperation {
  return operation({
    id,
    summary: id,
    tag: "search engine",
    responses: {},
    inReadOnly: true,
    handle: (_input, context) =>
      withSearchErrors(async () => {
        try {
          const call = await readCall(context);
          checkParameters(call.parameters, ownParameters);
          const form = call.parameters.get("wt") ?? "json";
          if (!forms.includes(form))
            throw new SolrRequestError("bad_request.solr_value", { name: "wt", value: form });
          return await answer(call);
        } catch (error) {
          if (!(error instanceof TextError)) throw error;
          throw new Failure(400, "refused", { text: error.text });
        }
      }, ""),
  });
}

export function writeAnswer({ parameters }: EngineCall, answer: Readonly<Record<string, unknown>>): Reply {
  const form = parameters.get("wt");
  if (form !== "xml" && form !== "csv") return json(answer);
  const { contentType, write } = OTHER_FORMS[form];
  const body = write(answer);
  if (body === undefined) throw new SolrRequestError("bad_request.solr_value", { name: "wt", value: form });
  return { status: 200, contentType, body };
}

async function readCall(context: RequestContext): Promise<EngineCall> {
  const { request } = context;
  const parameters = new URLSearchParams(new URL(request.url).searchParams);
  const body = request.method === "POST" ? await bodyText(request, ENGINE_BODY_BYTES) : "";
  const isForm = FORM.test(request.headers.get("Content-Type") ?? "");
  if (isForm) for (const [name, value] of new URLSearchParams(body)) parameters.append(name, value);
  return { context, parameters, body: isForm ? "" : body, engine: await newestEngine(context) };
}

export function echoParameters(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

export function toSolrNumber(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

export function responseHeader({ context }: EngineCall, more: Record<string, unknown> = {}) {
  const { now, sources } = context;
  return { status: 0, QTime: Math.max(0, sources.now() - now), ...more };
}
