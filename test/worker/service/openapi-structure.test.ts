import { beforeAll, describe, expect, it } from "vitest";
import { openApiProblems } from "../../../scripts/lib/openapi-lint.ts";
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

describe("the OpenAPI document", () => {
  it("passes the lint rules", () => {
    expect(operations().length).toBeGreaterThan(400);
    expect(openApiProblems(document)).toEqual([]);
  });

  it("documents general responses of every operation", () => {
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
});
