import { beforeAll, describe, expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

// The description of the interface against the rules of OpenAPI 3.1: there is no validator for it among the tools.

type Node = Readonly<Record<string, unknown>>;

/** Words of JSON Schema 2020-12 that schemas may be made of. */
const SCHEMA_WORDS = new Set(
  (
    "$ref type enum const properties required additionalProperties propertyNames patternProperties items prefixItems " +
    "minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum " +
    "multipleOf anyOf oneOf allOf not default description title examples contentEncoding contentMediaType"
  ).split(" "),
);
const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const MEDIA_TYPE = /^(?:\*|[a-z]+)\/[a-z0-9.+*-]+$/;
const METHODS = new Set(["get", "post", "put", "delete"]);

let document: Node;
const object = (value: unknown): Node => Object(value);
const entries = (value: unknown): [string, Node][] => Object.entries(Object(value));
const operations = (): [name: string, operation: Node, path: string][] =>
  entries(document["paths"]).flatMap(([path, item]) =>
    entries(item).map(([method, operation]): [string, Node, string] => [
      `${method} ${path}`,
      operation,
      path,
    ]),
  );

beforeAll(async () => {
  document = object(await testService().json("/openapi.json"));
});

/** What a reference points at; undefined when there is nothing. */
function pointedAt(reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((value, name) => object(value)[name], document);
}

function response(stated: Node): Node {
  const reference = stated["$ref"];
  return typeof reference === "string" ? object(pointedAt(reference)) : stated;
}

/** Everything below a place of the document that is an object or array. */
function* below(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  yield value as Node;
  for (const inner of Object.values(value)) yield* below(inner);
}

/** A schema and all schemas inside it. */
function* schemasIn(schema: unknown): Generator<Node> {
  if (typeof schema !== "object" || schema === null) return;
  const node = object(schema);
  yield node;
  for (const word of ["properties", "patternProperties"]) {
    for (const [, inner] of entries(node[word])) yield* schemasIn(inner);
  }
  for (const word of ["items", "additionalProperties", "propertyNames", "not"]) yield* schemasIn(node[word]);
  for (const word of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
    for (const [, inner] of entries(node[word])) yield* schemasIn(inner);
  }
}

function* allSchemas(): Generator<Node> {
  for (const [, schema] of entries(object(document["components"])["schemas"])) yield* schemasIn(schema);
  for (const node of below(document)) if ("schema" in node) yield* schemasIn(node["schema"]);
}

describe("the description of the interface", () => {
  it("refers to nothing that is not there", () => {
    const references = [...below(document)].flatMap((node) =>
      typeof node["$ref"] === "string" ? [node["$ref"]] : [],
    );
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((one) => !one.startsWith("#/") || pointedAt(one) === undefined)).toEqual([]);
  });

  it("is made of schemas of JSON Schema 2020-12", () => {
    const wrong = [...allSchemas()].filter((schema) => {
      const types = [schema["type"] ?? []].flat();
      return (
        Object.keys(schema).some((word) => !SCHEMA_WORDS.has(word)) ||
        types.some((type) => !TYPES.has(String(type)))
      );
    });
    expect(wrong).toEqual([]);
  });

  it("has one template for a path, and the methods of the interface", () => {
    const templates = Object.keys(object(document["paths"]));
    const shapes = templates.map((path) => path.replace(/\{\w+\}/g, "{}"));
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
    expect(templates.filter((path) => !path.startsWith("/"))).toEqual([]);
    const methods = entries(document["paths"]).flatMap(([, item]) => Object.keys(item));
    expect(methods.filter((method) => !METHODS.has(method))).toEqual([]);
  });

  it("names the parameters of each template, once", () => {
    for (const [name, operation, path] of operations()) {
      const parameters = entries(operation["parameters"]).map(([, one]) => one);
      const inPath = parameters.filter((one) => one["in"] === "path").map((one) => String(one["name"]));
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
      expect([name, inPath.toSorted()]).toEqual([name, placeholders.toSorted()]);
      const all = parameters.map((one) => `${String(one["in"])} ${String(one["name"])}`);
      expect([name, new Set(all).size]).toEqual([name, all.length]);
    }
  });

  it("says of every answer what it is, with media types where it has a body", () => {
    for (const [name, operation] of operations()) {
      const statuses = entries(operation["responses"]);
      expect([name, statuses.some(([status]) => /^[23]\d\d$/.test(status) || status === "404")]).toEqual([
        name,
        true,
      ]);
      for (const [status, stated] of statuses) {
        expect(status).toMatch(/^[1-5]\d\d$/);
        const { description, content, headers } = response(stated);
        expect([name, status, typeof description === "string" && description !== ""]).toEqual([
          name,
          status,
          true,
        ]);
        for (const [type, media] of entries(content)) {
          expect(type).toMatch(MEDIA_TYPE);
          expect(Object.keys(media).filter((key) => key !== "schema")).toEqual([]);
        }
        const isError = Number(status) >= 400;
        const types = Object.keys(object(content));
        if (isError)
          expect([name, status, types]).toEqual([
            name,
            status,
            expect.arrayContaining(["application/json", "text/html"]),
          ]);
        const isRedirect = ["301", "302", "303", "307", "308"].includes(status);
        if (isRedirect) expect([name, object(headers)["Location"]]).toEqual([name, expect.anything()]);
      }
    }
  });

  it("says of every operation what stands in front of it", () => {
    for (const [name, operation] of operations()) {
      const { responses, requestBody, security } = operation;
      const statuses = Object.keys(object(responses));
      const general = ["400", "429", "503"];
      if (name.startsWith("get ")) general.push("304");
      if (requestBody !== undefined) general.push("413");
      if (!name.startsWith("get ")) general.push("403");
      expect([name, statuses]).toEqual([name, expect.arrayContaining(general)]);
      if (security === undefined) continue;
      const gate = ["401", "403", "404"].some((status) => statuses.includes(status));
      expect([name, gate]).toEqual([name, true]);
    }
  });

  it("names security schemes that are there", () => {
    const schemes = Object.keys(object(object(document["components"])["securitySchemes"]));
    const used = operations().flatMap(([, { security }]) =>
      entries(security).flatMap(([, one]) => Object.keys(one)),
    );
    expect([...new Set(used)].filter((one) => !schemes.includes(one))).toEqual([]);
    expect(schemes.filter((one) => !used.includes(one))).toEqual([]);
  });

  it("says which parameters take slashes", () => {
    const [, wide] = operations().find(([name]) => name === "get /{key}")!;
    expect(wide["parameters"]).toContainEqual(
      expect.objectContaining({ name: "key", "x-takes-slashes": true }),
    );
  });
});
