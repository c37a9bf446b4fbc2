import { isRole } from "../../catalog/roles.ts";
import * as z from "zod";
import {
  type Access,
  type AnyOperation,
  type ResponseSpec,
  type LoadedRoute,
  baseUrl,
  loadRoutes,
  operation,
} from "../http/operation.ts";
import { SCOPES } from "../../catalog/scopes.ts";
import { english } from "../../catalog/texts.ts";
import { SCOPE_WORDS } from "../accounts/scope-words.ts";
import { isForPrograms } from "./audience.ts";
import { shareParts } from "./share-parts.ts";
import { exampleOfBody, exampleOfParameter } from "./openapi-examples.ts";
import { BODY_EXAMPLES } from "./body-examples.ts";
import { concretePath, pathTemplate } from "../http/paths.ts";
import { SCRIPT_TYPE, json } from "../http/reply.ts";
import { VERSION } from "../http/settings.ts";
import {
  ANY_FAILURE,
  LOCATION,
  RESPONSES,
  SCHEMAS,
  ACCESS_WORDS,
  TAGS,
  USUAL_PARAMETERS,
  errorContent,
  generalResponses,
} from "./openapi-parts.ts";

type Schema = Record<string, unknown>;

/**
 * Creates the OpenAPI 3.1 document of a route table from the schemas that validate requests. `isShort`: the errors of an
 * operation are one `default` response.
 */
export function openApiDocument(
  routes: readonly LoadedRoute[],
  {
    title,
    prefix,
    server,
    isShort = false,
  }: { title: string; prefix: string; server: string; isShort?: boolean },
) {
  const paths: Record<string, Schema> = {};
  for (const route of routes) {
    if (route.alias) continue;
    const path = pathTemplate(concretePath(route.path, prefix));
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationObject(route, isShort) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title,
      version: VERSION,
      description: "Library catalog, compatible with Open Library's JSON interface",
      contact: { name: title, url: server },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: server }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    ...withComponents(paths, { prefix, server, shared: isShort ? shareParts(paths) : undefined }),
  };
}

/** Moves named schemas to the components, and replaces `XX` in patterns, as in paths, by the record prefix. */
function withComponents(
  paths: Schema,
  {
    prefix,
    server,
    shared,
  }: { prefix: string; server: string; shared: ReturnType<typeof shareParts> | undefined },
): Schema {
  const schemas: Schema = { ...SCHEMAS };
  const replaceValue = (name: string, value: unknown): unknown => {
    // Integers that JSON can write are no limit.
    if (name === "$schema" || value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER) {
      return undefined;
    }
    if (name === "$defs") return void Object.assign(schemas, lift(value));
    if (typeof value !== "string") return value;
    if (name === "$ref") return value.replace("#/$defs/", "#/components/schemas/");
    return name === "pattern" ? value.replaceAll("XX", prefix) : value;
  };
  const lift = (value: unknown): Schema => JSON.parse(JSON.stringify(value, replaceValue));
  const lifted = lift(paths);
  const parts =
    shared === undefined
      ? { responses: RESPONSES }
      : { parameters: lift(shared.parameters), responses: { ...ANY_FAILURE, ...lift(shared.responses) } };
  return { paths: lifted, components: { schemas, ...parts, securitySchemes: securitySchemes(server) } };
}

function securitySchemes(server: string) {
  return {
    APIKeyCookie: { type: "apiKey", in: "cookie", name: "session" },
    PersonalToken: { type: "http", scheme: "bearer", description: "Token from `/account/tokens`" },
    OAuth2: {
      type: "oauth2",
      flows: {
        authorizationCode: {
          authorizationUrl: `${server}/oauth2/authorize`,
          tokenUrl: `${server}/oauth2/token`,
          refreshUrl: `${server}/oauth2/token`,
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, english({ key: SCOPE_WORDS[scope] })])),
        },
      },
    },
    OperatorToken: { type: "http", scheme: "bearer" },
    CoversSecret: { type: "http", scheme: "bearer" },
  };
}
const OTHER_SECURITY: Partial<Record<Access, readonly Schema[]>> = {
  public: [],
  development: [],
  // On development services no session is needed.
  inspector: [{}, { APIKeyCookie: [] }],
  operator: [{ OperatorToken: [] }],
  "cover-writer": [{ CoversSecret: [] }],
};

/** Access levels that the short form names by `security` alone. */
const SAID_BY_SECURITY: ReadonlySet<Access> = new Set(["public", "session", "session-page"]);

/**
 * Returns the ways to authenticate for a route, one of which is enough. `isShort`: a personal token is left out, which
 * has the scopes of an app's; undefined for public routes.
 */
function securityOf({ access, scope }: LoadedRoute, isShort: boolean): readonly Schema[] | undefined {
  const other = OTHER_SECURITY[access];
  if (other !== undefined) return isShort && other.length === 0 ? undefined : other;
  const tokenScopes = scope === "login" || scope === undefined ? undefined : scope === "any" ? [] : [scope];
  return [
    { APIKeyCookie: [] },
    ...(tokenScopes === undefined || isShort ? [] : [{ PersonalToken: tokenScopes }]),
    ...(tokenScopes === undefined ? [] : [{ OAuth2: tokenScopes }]),
  ];
}

function operationObject(route: LoadedRoute, isShort: boolean): Schema {
  const { operation: documented, access, path } = route;
  const parameters = [
    ...parameterObjects(route, "path").map((parameter) => withSlashes(parameter, path)),
    ...parameterObjects(route, "query"),
  ];
  return {
    operationId: documented.id,
    summary: documented.summary,
    ...(!(isShort && SAID_BY_SECURITY.has(access)) && {
      description: `${documented.summary}. ${accessOf(access)}`,
    }),
    tags: [documented.tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(documented, isShort),
    responses: isShort
      ? { ...specificResponses(documented, 400), default: { $ref: "#/components/responses/Failure" } }
      : { ...generalResponses(route), ...specificResponses(documented) },
    security: securityOf(route, isShort),
  };
}

function accessOf(access: Access): string {
  return isRole(access) ? `Requires the role ${access}.` : ACCESS_WORDS[access];
}

/** Marks a parameter that matches slashes with an extension, because OpenAPI has no term for it. */
function withSlashes(parameter: Schema, path: string): Schema {
  return path.includes(`{${String(parameter["name"])}:path}`)
    ? { ...parameter, "x-takes-slashes": true }
    : parameter;
}

function requestBody({ id, body, form, json: jsonBody }: AnyOperation, isShort: boolean): Schema {
  if (body !== undefined) {
    const { contentType, description } = body;
    const schema = BODY_SCHEMAS[contentType] ?? { type: "string" };
    const content = contentOf([contentType], schema, BODY_EXAMPLES[id]);
    return { requestBody: { required: true, description, content } };
  }
  if (jsonBody !== undefined) {
    const schema = jsonSchema(jsonBody, "input");
    const content = contentOf(["application/json"], schema, exampleOfBody(id, schema));
    return { requestBody: { required: true, content } };
  }
  if (form === undefined) return {};
  const name = `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`.replace(/(?:Form)?(?:AtPage)?$/, "Form");
  const fields = z.object({ ...form }).meta({ id: name });
  const required = !fields.safeParse({}).success;
  const schema = jsonSchema(fields, "input");
  return {
    requestBody: {
      required,
      content: contentOf(isShort ? FORM_TYPES.slice(0, 1) : FORM_TYPES, schema, exampleOfBody(id, schema)),
    },
  };
}

/** Schemas of bodies that operations read themselves. */
const BODY_SCHEMAS: Readonly<Record<string, Schema>> = {
  "application/json": { type: ["object", "array"], items: {} },
  "multipart/form-data": { type: "object" },
};
const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json"];

function contentOf(types: readonly string[], schema: Schema, example?: unknown): Schema {
  return Object.fromEntries(types.map((type) => [type, { schema, example }]));
}

function parameterObjects({ operation: documented, path }: LoadedRoute, place: "path" | "query"): Schema[] {
  return Object.entries(documented[place]).map(([name, schema]) => {
    const { description = USUAL_PARAMETERS[name], ...rest } = jsonSchema(schema);
    const required = place === "path" || !schema.safeParse(undefined).success;
    const example = exampleOfParameter(path, name, rest);
    return {
      name,
      in: place,
      required,
      description,
      schema: rest,
      // JSON leaves out what is undefined.
      example,
    };
  });
}

/** Returns the responses that an operation declares, with statuses below `before`. */
function specificResponses(documented: AnyOperation, before = 600): Schema {
  const isScript = Object.hasOwn(documented.query, "callback");
  const declared = Object.entries(documented.responses).filter(([status]) => Number(status) < before);
  return Object.fromEntries(
    declared.map(([status, spec]) => [status, responseObject(Number(status), spec, isScript)]),
  );
}

function responseObject(status: number, spec: ResponseSpec, isScript: boolean): Schema {
  const { description, schema, contentType, also = [], headers } = spec;
  const shape = schema === undefined ? undefined : jsonSchema(schema);
  if (spec.isBare === true) return { description };
  if (status >= 400) {
    const special = [contentType ?? [], also].flat().map((type) => [type, media(type)]);
    return { description, content: { ...Object.fromEntries(special), ...errorContent(shape) } };
  }
  const main: [string, Schema][] = [];
  if (shape !== undefined) main.push([contentType ?? "application/json", { schema: shape }]);
  else if (contentType !== undefined) main.push([contentType, media(contentType)]);
  // With a callback (JSONP) a JSON answer becomes a script.
  const scripts = isScript && shape !== undefined && status === 200 ? [SCRIPT_TYPE] : [];
  const others = [...also, ...scripts].map((type): [string, Schema] => [type, media(type)]);
  const content = Object.fromEntries([...main, ...others]);
  return {
    description,
    ...(status > 300 ? { headers: LOCATION } : headers && { headers: headerObjects(headers) }),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

function headerObjects(headers: Readonly<Record<string, string>>): Schema {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

/** Returns the media type object: text has a schema, other types have none. */
function media(type: string): Schema {
  return /^text\/|javascript|xml/.test(type) ? { schema: { type: "string" } } : {};
}

function jsonSchema(schema: z.ZodType, io: "input" | "output" = "output"): Schema {
  return z.toJSONSchema(schema, { io, override: ({ jsonSchema: produced }) => addItems(produced) });
}

/** Adds `items` to tuples, which tools require of every array. */
function addItems(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.prefixItems !== undefined && schema.items === false) schema.items = {};
}

export const openapi = operation({
  id: "openapi",
  summary: "Get the OpenAPI 3.1 document of this API",
  tag: "service",
  query: {
    audience: z
      .enum(["all", "public"])
      .default("all")
      .describe(
        "`public`: only what programs of readers use, without pages, forms, imports and routes of operators",
      ),
  },
  responses: { 200: { description: "OpenAPI document", schema: z.looseObject({}) } },
  async handle({ query: { audience } }, context) {
    const { name: title } = await context.site();
    const options = { title, prefix: context.settings.RECORD_PREFIX, server: baseUrl(context) };
    const routes = await loadRoutes(context.routes);
    const chosen = audience === "all" ? routes : routes.filter(isForPrograms);
    return json(openApiDocument(chosen, { ...options, isShort: audience === "public" }), {
      cacheControl: "public, max-age=60",
    });
  },
});
