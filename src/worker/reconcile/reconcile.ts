import * as z from "zod";
import { workAddressOf } from "../../search/present/works.ts";
import { ENTITY_TYPES, keyOfEntity } from "../../search/reconcile/entities.ts";
import { type Failure, failure } from "../http/failure.ts";
import { logoAddress } from "../http/pages/reader.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { callbackName } from "../http/parameters.ts";
import { type Reply, SCRIPT_TYPE, jsonp, redirect } from "../http/reply.ts";
import { searchCacheControl } from "../search/guarded.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { readEntities } from "./candidates.ts";
import { entityPage } from "./entity-page.ts";
import {
  RECONCILE_JSON_LENGTH,
  extendEntities,
  extensionSchema,
  resultSchema,
  runBatch,
  runReconcileQuery,
} from "./queries.ts";

const text = (description: string) => z.string().optional().describe(description);

const reconcileParameters = {
  queries: text("JSON object of queries by name; without any parameter the manifest is returned"),
  query: text("One query as JSON, or a name"),
  extend: text("JSON object with the ids of entities and the properties to fetch"),
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

const SHARED = {
  tag: "search",
  summary: "Reconcile names with entities of the catalog (Reconciliation API 0.2)",
  responses: {
    200: {
      description: "Manifest; candidates of each query, or of one query; values of properties",
      schema: z.union([manifestSchema, extensionSchema, resultSchema, z.record(z.string(), resultSchema)]),
      also: [SCRIPT_TYPE],
    },
  },
};

export const reconcileGet = operation({
  ...SHARED,
  id: "reconcile",
  query: { ...reconcileParameters, callback: callbackName() },
  handle: ({ query: { callback, ...parameters } }, context) => respond(parameters, callback, context),
});

export const reconcilePost = operation({
  ...SHARED,
  id: "reconcileForm",
  form: reconcileParameters,
  // JSON is up to three times as long in a form.
  bodyBytes: 3 * RECONCILE_JSON_LENGTH,
  inReadOnly: true,
  handle: ({ form }, context) => respond(form, undefined, context),
});

async function respond(
  { queries, query, extend }: { readonly [name in keyof typeof reconcileParameters]?: string | undefined },
  callback: string | undefined,
  context: RequestContext,
): Promise<Reply> {
  let result: unknown;
  if (queries !== undefined) result = await runBatch(queries, context);
  else if (query !== undefined) result = await runReconcileQuery(query, context);
  else if (extend !== undefined) result = await extendEntities(extend, context);
  else result = await manifest(context);
  return jsonp(JSON.stringify(result), callback, { cacheControl: searchCacheControl(context) });
}

/** Size of the preview of an entity, in pixels. */
const PREVIEW = { width: 400, height: 160 };

async function manifest(context: RequestContext): Promise<z.output<typeof manifestSchema>> {
  const site = await context.site();
  const base = baseUrl(context);
  const url = `${base}/reconcile`;
  const part = (service_path: string) => ({ service_url: url, service_path });
  return {
    versions: ["0.1", "0.2"],
    name: site.name,
    identifierSpace: `${url}/view/`,
    schemaSpace: `${url}/properties`,
    documentation: `${base}/docs/search#reconcile`,
    logo: base + (site.logo === null ? "/static/icon.svg" : logoAddress(site.logo)),
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

const path = { id: z.string().describe("Id of an entity, for example OL1W or subject:love") };

export const viewEntity = operation({
  id: "reconcileView",
  summary: "Redirect to the page of an entity",
  tag: "search",
  path,
  responses: { 302: { description: "Redirect to the page" }, 404: { description: "Entity not found" } },
  handle({ path: { id } }, context) {
    return redirect(302, addressOfEntity(id, context), { cacheControl: "public, max-age=3600" });
  },
});

export const previewEntity = operation({
  id: "reconcilePreview",
  summary: "Show a preview of an entity",
  tag: "search",
  path,
  responses: {
    200: { description: "Preview page", contentType: "text/html" },
    404: { description: "Entity not found" },
  },
  async handle({ path: { id } }, context) {
    const entity = (await readEntities([id], context)).get(id);
    if (entity === undefined) throw entityNotFound();
    return entityPage(entity, addressOfEntity(id, context));
  },
});

function addressOfEntity(id: string, context: RequestContext): string {
  const key = keyOfEntity(id, context.settings.RECORD_PREFIX);
  if (key === undefined) throw entityNotFound();
  return key.startsWith("/subjects/") ? nameAddressOf(key) : workAddressOf(key);
}

function entityNotFound(): Failure {
  return failure("not_found.entity");
}
