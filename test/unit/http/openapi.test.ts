import { type Plugin, createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { loadRoutes } from "../../../src/worker/http/operation.ts";
import { ROUTES } from "../../../src/worker/routes.ts";
import { openApiDocument } from "../../../src/worker/reference/openapi.ts";

/** Rules of Redocly. */
const RULES =
  `struct no-unresolved-refs no-unused-components no-identical-paths path-params-defined security-defined
  operation-operationId operation-operationId-unique operation-operationId-url-safe operation-parameters-unique
  operation-summary operation-description operation-tag-defined`.split(/\s+/);
const MEDIA_TYPE = /^(?:\*|[a-z]+)\/[a-z0-9.+*-]+$/;

/** Faults that no rule of Redocly finds. */
const OURS: Plugin = {
  id: "carrel",
  rules: {
    oas3: {
      faults: () => ({
        Operation(
          { tags = [], summary = "", responses, requestBody, security = [] },
          { key: method, report },
        ) {
          const general = [
            "400",
            "429",
            "503",
            method === "get" ? "304" : "403",
            ...(requestBody ? ["413"] : []),
          ];
          for (const status of general) if (!(status in responses)) report({ message: `no ${status}` });
          const statuses = Object.keys(responses).join();
          if (security.length > 0 && !/40[134]/.test(statuses))
            report({ message: "no response without access" });
          if (!/\b[23]\d\d\b/.test(statuses) && !summary.startsWith("Reject "))
            report({ message: "no success" });
          if (tags.length === 0) report({ message: "no tag" });
        },
        Response({ description, content = {}, headers = {} }, { key: status, report }) {
          const types = Object.keys(content);
          const hasBoth = "application/json" in content && "text/html" in content;
          if (!description) report({ message: "no description" });
          if (!types.every((type) => MEDIA_TYPE.test(type))) report({ message: "no media type" });
          if (/^[45]/.test(`${status}`) && types.length > 0 && !hasBoth)
            report({ message: "no JSON and HTML" });
          if (/^30[12378]$/.test(`${status}`) && !("Location" in headers)) report({ message: "no Location" });
        },
        Schema(schema, { report }) {
          const { type, items, properties, required = [], enum: values, anyOf = [], pattern = "" } = schema;
          const absent = properties && required.find((name) => !(name in properties));
          const isOpen = "prefixItems" in schema && schema.prefixItems?.length !== schema.maxItems;
          if (absent !== undefined) report({ message: `required, but no property: ${absent}` });
          if (type?.includes("array") && !items) report({ message: "an array without items" });
          if (isOpen) report({ message: "a tuple without an end" });
          if (values && "default" in schema && !values.includes(schema.default))
            report({ message: "a default that is no value" });
          if (anyOf.some((choice) => Object.keys(choice).length === 0))
            report({ message: "a choice that fits all" });
          if (!isExpression(pattern)) report({ message: `no regular expression: ${pattern}` });
        },
      }),
    },
  },
};

function isExpression(pattern: string) {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

async function problemsOf(document: object): Promise<string[]> {
  const rules = Object.fromEntries([...RULES, "carrel/faults"].map((name) => [name, "error" as const]));
  const config = await createConfig({ plugins: [OURS], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, message, location }) => `${location[0]?.pointer}: ${ruleId}: ${message}`);
}

const description = openApiDocument(await loadRoutes(ROUTES), {
  title: "Books",
  prefix: "XY",
  server: "https://books.example",
});

it("the OpenAPI document passes the lint rules", async () => {
  expect(await problemsOf(description)).toEqual([]);
});

it("each lint rule finds a fault", async () => {
  const parameter = { name: "d", in: "query", schema: {} };
  const get = { operationId: "a b", parameters: [parameter, parameter], responses: { 302: {} } };
  const lost = { ...get, requestBody: { $ref: "#/nothing" } };
  const problems = await problemsOf({
    ...description,
    paths: { "/a/{b}": { get, post: { responses: {} } }, "/a/{c}": { get: lost } },
  });
  const found = new Set(problems.map((problem) => problem.split(": ")[1]));
  expect([...found].toSorted()).toEqual([...RULES, "carrel/faults"].toSorted());
});
