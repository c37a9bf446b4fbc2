import * as z from "zod";
import { ENTITY_TYPES } from "../../search/reconcile/entities.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { callbackName } from "../http/parameters.ts";
import { type Reply, SCRIPT_TYPE, jsonp } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";
import { searchCacheControl } from "../search/answers.ts";
import { extended, extensionSchema } from "./extend.ts";
import { RECONCILE_JSON_LENGTH, answerBatch, answerOne, resultSchema } from "./queries.ts";

const text = (description: string) => z.string().optional().describe(description);

const parameters = {
  queries: text("JSON: questions by name; without any parameter the manifest is answered"),
  query: text("JSON of one question, or a name"),
  extend: text("JSON: ids of entities, and the properties to fetch of them"),
};

const service = z.object({ service_url: z.string(), service_path: z.string() });
const manifestSchema = z
  .object({
    versions: z.array(z.string()),
    name: z.string(),
    identifierSpace: z.string(),
    schemaSpace: z.string(),
    documentation: z.string(),
    logo: z.string(),
    view: z.object({ url: z.string() }),
    defaultTypes: z.array(z.object({ id: z.string(), name: z.string() })),
    preview: z.object({ url: z.string(), width: z.int(), height: z.int() }),
    suggest: z.object({ entity: service, type: service, property: service }),
    extend: z.object({ propose_properties: service, property_settings: z.array(z.unknown()) }),
  })
  .meta({ id: "ReconciliationManifest" });

const described = {
  tag: "search",
  summary: "Which entities of the catalog names mean (Reconciliation API 0.2)",
  responses: {
    200: {
      description:
        "The manifest; candidates by the name of the question, or those of one; values of properties",
      schema: z.union([manifestSchema, extensionSchema, resultSchema, z.record(z.string(), resultSchema)]),
      also: [SCRIPT_TYPE],
    },
  },
};

/** `GET /reconcile`: the manifest, or the answer to questions. */
export const reconcileGet = operation({
  ...described,
  id: "reconcile",
  query: { ...parameters, callback: callbackName() },
  handle: ({ query: { callback, ...asked } }, context) => answered(asked, callback, context),
});

/** `POST /reconcile`: the same by a form. */
export const reconcilePost = operation({
  ...described,
  id: "reconcileForm",
  form: parameters,
  // A text of JSON as a form may be three times as long.
  bodyBytes: 3 * RECONCILE_JSON_LENGTH,
  inReadOnly: true,
  handle: ({ form }, context) => answered(form, undefined, context),
});

type Asked = { readonly [name in keyof typeof parameters]?: string | undefined };

async function answered(asked: Asked, callback: string | undefined, context: RequestContext): Promise<Reply> {
  const body = JSON.stringify(await answerTo(asked, context));
  return jsonp(body, callback, { cacheControl: searchCacheControl(context, { sort: [] }) });
}

function answerTo({ queries, query, extend }: Asked, context: RequestContext): unknown {
  if (queries !== undefined) return answerBatch(queries, context);
  if (query !== undefined) return answerOne(query, context);
  return extend === undefined ? manifest(context) : extended(extend, context);
}

/** What the preview of an entity takes, in pixels. */
const PREVIEW = { width: 400, height: 160 };

function manifest(context: RequestContext): z.output<typeof manifestSchema> {
  const base = baseUrl(context);
  const url = `${base}/reconcile`;
  const part = (service_path: string) => ({ service_url: url, service_path });
  return {
    versions: ["0.1", "0.2"],
    name: NAME,
    identifierSpace: `${url}/view/`,
    schemaSpace: `${url}/properties`,
    documentation: `${base}/docs/search#reconcile`,
    logo: `${base}/static/icon.svg`,
    view: { url: `${url}/view/{{id}}` },
    defaultTypes: ENTITY_TYPES.map(({ id, name }) => ({ id, name })),
    preview: { url: `${url}/preview/{{id}}`, ...PREVIEW },
    suggest: {
      entity: part("/suggest/entity"),
      type: part("/suggest/type"),
      property: part("/suggest/property"),
    },
    extend: { propose_properties: part("/properties"), property_settings: [] },
  };
}
