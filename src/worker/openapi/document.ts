import * as z from "zod";
import type { Access, AnyOperation, Parameters, ResponseSpec, Route } from "../operation.ts";
import { concretePath } from "../path-pattern.ts";
import { NAME, VERSION } from "../version.ts";
import { LOCATION, RESPONSES, SCHEMAS, errorContent, generalAnswers } from "./general-answers.ts";

type Schema = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of a route table. Parameters, bodies and answers come from the schemas that
 * validate requests, so the two cannot differ.
 */
export function openApiDocument(
  routes: readonly Route[],
  { prefix, server }: { prefix: string; server: string },
) {
  const paths: Record<string, Schema> = {};
  for (const route of routes) {
    if (route.alias) continue;
    const path = concretePath(route.path, prefix).replace(":path}", "}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationObject(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: NAME,
      version: VERSION,
      description: "Library catalog, compatible with Open Library's JSON interface",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: server }],
    paths,
    components: {
      schemas: SCHEMAS,
      responses: RESPONSES,
      securitySchemes,
    },
  };
}

const securitySchemes = {
  APIKeyCookie: { type: "apiKey", in: "cookie", name: "session" },
  OperatorToken: { type: "http", scheme: "bearer" },
  CoversSecret: { type: "http", scheme: "bearer" },
};
const COOKIE = { security: [{ APIKeyCookie: [] }] };
const SECURITY: Record<Access, Schema> = {
  public: {},
  development: {},
  inspector: COOKIE,
  operator: { security: [{ OperatorToken: [] }] },
  "cover-writer": { security: [{ CoversSecret: [] }] },
  session: COOKIE,
  "session-page": COOKIE,
  writer: COOKIE,
  importer: COOKIE,
  librarian: COOKIE,
  "super-librarian": COOKIE,
  maintainer: COOKIE,
  admin: COOKIE,
};

function operationObject(route: Route): Schema {
  const { operation, access, path } = route;
  const parameters = [
    ...parameterObjects(operation.path, "path").map((one) => withSlashes(one, path)),
    ...parameterObjects(operation.query, "query"),
  ];
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(operation),
    responses: { ...generalAnswers(route), ...ownAnswers(operation) },
    ...SECURITY[access],
  };
}

/** OpenAPI has no word for a parameter that takes the rest of a path with its slashes, so an extension says it. */
function withSlashes(parameter: Schema, path: string): Schema {
  return path.includes(`{${String(parameter["name"])}:path}`)
    ? { ...parameter, "x-takes-slashes": true }
    : parameter;
}

function requestBody({ body, form, json }: AnyOperation): Schema {
  if (body !== undefined) {
    const { contentType, description } = body;
    const content = contentOf([contentType], { type: "string" });
    return { requestBody: { required: true, description, content } };
  }
  if (json !== undefined) {
    const content = contentOf(["application/json"], jsonSchema(json, "input"));
    return { requestBody: { required: true, content } };
  }
  if (form === undefined) return {};
  const fields = z.object({ ...form });
  const required = !fields.safeParse({}).success;
  return { requestBody: { required, content: contentOf(FORM_TYPES, jsonSchema(fields, "input")) } };
}

/** Every form may come as each of these (validation/request-body.ts). */
const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json"];

function contentOf(types: readonly string[], schema: Schema): Schema {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function parameterObjects(parameters: Parameters, place: "path" | "query"): Schema[] {
  return Object.entries(parameters).map(([name, schema]) => {
    const { description, ...rest } = jsonSchema(schema);
    const required = place === "path" || !schema.safeParse(undefined).success;
    return { name, in: place, required, description, schema: rest };
  });
}

function ownAnswers(operation: AnyOperation): Schema {
  const isScript = Object.hasOwn(operation.query, "callback");
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, spec]) => [
      status,
      responseObject(Number(status), spec, isScript),
    ]),
  );
}

/** With a callback (JSONP) an answer that has JSON is a script as well. */
const SCRIPT_TYPE = "application/javascript";

function responseObject(status: number, spec: ResponseSpec, isScript: boolean): Schema {
  const { description, schema, contentType, also = [] } = spec;
  const json = schema === undefined ? undefined : jsonSchema(schema);
  if (status >= 400) {
    const own = contentType === undefined ? {} : { [contentType]: media(contentType) };
    return { description, content: { ...own, ...errorContent(json) } };
  }
  const own: [string, Schema][] =
    json === undefined
      ? contentType === undefined
        ? []
        : [[contentType, media(contentType)]]
      : [[contentType ?? "application/json", { schema: json }]];
  const scripts = isScript && json !== undefined && status === 200 ? [SCRIPT_TYPE] : [];
  const others = [...also, ...scripts].map((type): [string, Schema] => [type, media(type)]);
  const content = Object.fromEntries([...own, ...others]);
  return {
    description,
    ...(status >= 300 ? { headers: LOCATION } : {}),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

/** Text is text; of other types OpenAPI says nothing but their name. */
function media(type: string): Schema {
  return /^text\/|javascript|xml/.test(type) ? { schema: { type: "string" } } : {};
}

function jsonSchema(schema: z.ZodType, io: "input" | "output" = "output"): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
