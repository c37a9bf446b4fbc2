import * as z from "zod";
import type { Access, AnyOperation, Parameters, ResponseSpec, Route } from "../operation.ts";
import { concretePath } from "../path-pattern.ts";
import { NAME, VERSION } from "../version.ts";

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
      schemas: { HTTPValidationError: validationError, ValidationError: oneFailure },
      securitySchemes,
    },
  };
}

const securitySchemes = {
  APIKeyCookie: { type: "apiKey", in: "cookie", name: "session" },
  OperatorToken: { type: "http", scheme: "bearer" },
};
const COOKIE = { security: [{ APIKeyCookie: [] }] };
const SECURITY: Record<Access, Schema> = {
  public: {},
  development: {},
  operator: { security: [{ OperatorToken: [] }] },
  session: COOKIE,
  "session-page": COOKIE,
  writer: COOKIE,
  importer: COOKIE,
  librarian: COOKIE,
  "super-librarian": COOKIE,
  maintainer: COOKIE,
  admin: COOKIE,
};

const oneFailure = {
  type: "object",
  required: ["type", "loc", "msg"],
  properties: {
    type: { type: "string" },
    loc: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
    msg: { type: "string" },
    input: {},
    ctx: { type: "object" },
  },
};
const validationError = {
  type: "object",
  properties: { detail: { type: "array", items: { $ref: "#/components/schemas/ValidationError" } } },
};

function operationObject({ operation, access, path }: Route): Schema {
  const parameters = [
    ...parameterObjects(operation.path, "path"),
    ...parameterObjects(operation.query, "query"),
  ];
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(operation),
    responses: responseObjects(
      operation,
      parameters.length > 0 || path.includes("{") || takesFields(operation),
    ),
    ...SECURITY[access],
  };
}

function takesFields({ form, json }: AnyOperation): boolean {
  return form !== undefined || json !== undefined;
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

function responseObjects(operation: AnyOperation, canFail: boolean): Schema {
  const responses = Object.entries(operation.responses).map(([status, spec]) => [
    status,
    responseObject(spec),
  ]);
  const invalid = {
    description: "Invalid parameters",
    content: { "application/json": { schema: { $ref: "#/components/schemas/HTTPValidationError" } } },
  };
  return { ...Object.fromEntries(responses), ...(canFail ? { 422: invalid } : {}) };
}

function responseObject({ description, schema, contentType }: ResponseSpec): Schema {
  if (schema === undefined && contentType === undefined) return { description };
  const content = schema === undefined ? { schema: { type: "string" } } : { schema: jsonSchema(schema) };
  return { description, content: { [contentType ?? "application/json"]: content } };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output" = "output"): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
