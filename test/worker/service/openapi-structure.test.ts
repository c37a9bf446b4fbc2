import { beforeAll, describe, expect, it } from "vitest";
import { openApiProblems } from "../../../scripts/lib/openapi-lint.mjs";
import { testService } from "../../support/worker/service.ts";

type Node = Readonly<Record<string, unknown>>;

let document: Node;
const object = (value: unknown): Node => Object(value);
const entries = (value: unknown): [string, Node][] => Object.entries(Object(value));
const operations = (): [name: string, operation: Node][] =>
  entries(document["paths"]).flatMap(([path, item]) =>
    entries(item).map(([method, operation]): [string, Node] => [`${method} ${path}`, operation]),
  );

beforeAll(async () => {
  document = object(await testService({ RECORD_PREFIX: "XY" }).json("/openapi.json"));
});

describe("the description of the interface", () => {
  it("keeps to the rules of such descriptions", () => {
    expect(operations().length).toBeGreaterThan(400);
    expect(openApiProblems(document)).toEqual([]);
  });

  it("has one schema for what occurs often", () => {
    const { schemas } = object(document["components"]);
    const names =
      "Work Edition Author List Subject SearchResponse Error HTTPValidationError Language Change LoginForm";
    expect(Object.keys(object(schemas))).toEqual(expect.arrayContaining(names.split(" ")));
    const [, works] = operations().find(([name]) =>
      name.startsWith("get /authors/XY{author_id}A/works.json"),
    )!;
    expect(JSON.stringify(works)).toContain('"items":{"$ref":"#/components/schemas/Work"}');
  });

  it("says how numbers of lists look, the orders there are, and the first page", () => {
    const parameters = operations().flatMap(([name, { parameters: own }]) =>
      entries(own).map(([, one]) => ({
        name: `${name} ${String(one["name"])}`,
        schema: object(one["schema"]),
      })),
    );
    const of = (end: string) => parameters.filter(({ name }) => name.endsWith(` ${end}`));
    const lists = of("list_id").filter(({ name }) => !name.includes("XY{list_id}L"));
    const numbers = [...lists, ...of("olid").filter(({ name }) => name.includes("{olid}"))];
    expect(numbers.filter(({ schema }) => !String(schema["pattern"]).includes("XY\\d+"))).toEqual([]);
    expect(of("list_id").filter(({ schema }) => schema["pattern"] === undefined)).toEqual([]);
    expect(of("sort").filter(({ schema }) => !Array.isArray(schema["enum"]))).toEqual([]);
    expect(of("page").filter(({ schema }) => schema["minimum"] !== 1)).toEqual([]);
    expect([numbers.length, of("sort").length, of("page").length].every((count) => count > 9)).toBe(true);
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
      if (entries(security).length === 0) continue;
      const gate = ["401", "403", "404"].some((status) => statuses.includes(status));
      expect([name, gate]).toEqual([name, true]);
    }
  });

  it("says which parameters take slashes", () => {
    const [, wide] = operations().find(([name]) => name === "get /{key}")!;
    expect(wide["parameters"]).toContainEqual(
      expect.objectContaining({ name: "key", "x-takes-slashes": true }),
    );
  });
});
