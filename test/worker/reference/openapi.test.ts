import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createApp } from "../../../src/worker/app.ts";
import { concretePath, pathPattern, pathTemplate, placeholdersOf } from "../../../src/worker/http/paths.ts";
import { loadRoutes } from "../../../src/worker/http/operation.ts";
import { FIRST_CALLS } from "../../../src/worker/reference/first-calls.ts";
import { ROUTES } from "../../../src/worker/routes.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query"]),
  description: z.string().optional(),
  example: z.unknown().optional(),
  required: z.boolean(),
  schema: z.record(z.string(), z.unknown()),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()).min(1),
  parameters: z.array(parameter).default([]),
  requestBody: z
    .object({
      content: z.record(
        z.string(),
        z.object({
          schema: z.looseObject({ type: z.unknown().optional() }),
          example: z.unknown().optional(),
        }),
      ),
    })
    .optional(),
  responses: z.record(
    z.string(),
    z.union([z.strictObject({ $ref: z.string() }), z.object({ description: z.string().min(1) })]),
  ),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
});
const document = z.object({
  openapi: z.string(),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});

const shortDocument = z.looseObject({
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const operationsIn = (paths: z.output<typeof document>["paths"]) =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

const service = testService();
const read = async () => document.parse(await service.json("/openapi.json"));
const documentedPath = (path: string): string => pathTemplate(concretePath(path, "OL"));
const LOADED_ROUTES = await loadRoutes(ROUTES);
const OWN_ROUTES = LOADED_ROUTES.filter(({ alias }) => !alias);

describe("GET /openapi.json", () => {
  it("is an OpenAPI 3.1 document", async () => {
    const response = await service.fetch("/openapi.json");
    expect(response.headers.get("Content-Type")).toBe("application/json");
    const { openapi, info, servers, components } = await read();
    expect(openapi).toBe("3.1.0");
    expect(info).toMatchObject({ title: "Carrel", version: "1.0.0" });
    expect(servers).toEqual([{ url: ORIGIN }]);
    expect(components.securitySchemes["APIKeyCookie"]).toEqual({
      type: "apiKey",
      in: "cookie",
      name: "session",
    });
  });

  it("names the configured address and prefix", async () => {
    const configured = testService({ BASE_URL: "https://books.example" });
    expect(await configured.json("/openapi.json")).toMatchObject({
      servers: [{ url: "https://books.example" }],
    });
    const app = createApp("XY");
    const request = new Request(`${ORIGIN}/openapi.json`);
    const response = await app.fetch(request, { ...env, RECORD_PREFIX: "XY" }, createExecutionContext());
    const { paths } = document.parse(await response.json());
    expect(Object.keys(paths)).toContain("/works/XY{work_id}W/editions.json");
  });

  it("documents every route that is not an alias", async () => {
    const { paths } = await read();
    const missing = OWN_ROUTES.filter(
      ({ path, method, operation: { id } }) =>
        paths[documentedPath(path)]?.[method.toLowerCase()]?.operationId !== id,
    );
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it("documents nothing else", async () => {
    const { paths } = await read();
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const own = OWN_ROUTES.map(({ method, path }) => `${method.toLowerCase()} ${documentedPath(path)}`);
    expect(described.toSorted()).toEqual(own.toSorted());
  });

  it("documents the validated parameters", async () => {
    const { paths } = await read();
    for (const { method, path, operation: checked } of OWN_ROUTES) {
      const described = paths[documentedPath(path)]![method.toLowerCase()]!.parameters;
      const names = (place: string) => described.filter((one) => one.in === place).map(({ name }) => name);
      expect(names("query"), path).toEqual(Object.keys(checked.query));
      expect(names("path").toSorted(), path).toEqual(placeholdersOf(path).toSorted());
      expect(described.filter((one) => one.in === "path" && !one.required)).toEqual([]);
    }
  });

  it("documents the redirect of addresses of records", async () => {
    const { paths } = await read();
    expect(paths["/authors/OL{author_id}A/feed.{format}"]?.["get"]?.responses).toHaveProperty("301");
    expect(paths["/works/OL{work_id}W/ratings.json"]?.["post"]?.responses).not.toHaveProperty("301");
  });

  it("documents 422 and the operator token", async () => {
    const { paths } = await read();
    const operations = OWN_ROUTES.map((route) => route.operation);
    const withFields = new Set(
      operations
        .filter(({ form, json, responses }) => form !== undefined || json !== undefined || 422 in responses)
        .map(({ id }) => id),
    );
    for (const item of Object.values(paths)) {
      for (const one of Object.values(item)) {
        const takes = one.parameters.length > 0 || withFields.has(one.operationId);
        expect(Object.hasOwn(one.responses, "422"), one.operationId).toBe(takes);
      }
    }
    expect(paths["/system/load"]!["post"]).toMatchObject({
      security: [{ OperatorToken: [] }],
      requestBody: { content: { "text/tab-separated-values": {} } },
    });
    expect(paths["/health"]!["get"]!.security).toEqual([]);
  });
});

describe("parameters and bodies", () => {
  it("all have words", async () => {
    const { paths } = await read();
    const wordless = operationsIn(paths).flatMap(({ operationId, parameters }) =>
      parameters.flatMap(({ name, description = "" }) =>
        description === "" ? [`${operationId} ${name}`] : [],
      ),
    );
    expect(wordless).toEqual([]);
  });

  it("have an example if the operation needs them", async () => {
    const { paths } = await read();
    const missing = operationsIn(paths).flatMap(({ operationId, parameters, requestBody }) => {
      const bare = parameters.filter(({ required, example }) => required && example === undefined);
      const bodies = Object.entries(requestBody?.content ?? {}).filter(
        ([, { example }]) => example === undefined,
      );
      return [
        ...bare.map(({ name }) => `${operationId} ${name}`),
        ...bodies.map(([type]) => `${operationId} ${type}`),
      ];
    });
    expect(missing).toEqual([]);
  });
});

describe("GET /openapi.json?audience=public", () => {
  it("leaves out pages, forms and operators, and is below 300 kB", async () => {
    const response = await service.fetch("/openapi.json?audience=public");
    const text = await response.text();
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(expect.arrayContaining([...FIRST_CALLS.map(({ operation: id }) => id), "loginJson"]));
    expect(ids).not.toContain("editWork");
    expect(ids).not.toContain("searchPage");
    expect(text).not.toMatch(/"\/(?:system|admin)/);
    expect(text.length).toBeLessThan(300_000);
  });

  it("has everything that it refers to", async () => {
    const { components, ...rest } = shortDocument.parse(await service.json("/openapi.json?audience=public"));
    const text = JSON.stringify({ components, ...rest });
    const missing = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].filter(
      ([, place = "", name = ""]) => components[place]?.[name] === undefined,
    );
    expect(missing.map(([reference]) => reference)).toEqual([]);
  });
});

describe("the route table", () => {
  it("equals the routes of the app", () => {
    const served = createApp("OL")
      .routes.filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path}`);
    const table = ROUTES.map((route) => `${route.method} ${pathPattern(route, "OL").hono}`);
    expect(served.toSorted()).toEqual(table.toSorted());
  });

  it("requires the operator token below /system only", () => {
    const open = ROUTES.filter(({ path, access }) => path.startsWith("/system/") && access !== "operator");
    expect(open).toEqual([]);
    const guarded = ROUTES.filter(
      ({ path, access }) => !path.startsWith("/system/") && access === "operator",
    );
    expect(guarded).toEqual([]);
  });

  it.each(LOADED_ROUTES.filter(({ alias }) => alias).map((route) => [route.path, route] as const))(
    "%s is an alias of a documented route",
    (_path, route) => {
      expect(OWN_ROUTES.map(({ operation: { id } }) => id)).toContain(route.operation.id);
    },
  );
});
