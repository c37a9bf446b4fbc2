// What the lint of the interface description finds.
import { describe, expect, it } from "vitest";
import { openApiProblems } from "../../../../scripts/lib/openapi-lint.ts";

/** A description that is as it has to be. */
function sound(): object {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Book" } }, "text/html": {} };
  return {
    tags: [{ name: "books", description: "Books" }],
    paths: {
      "/books/{id}.json": {
        get: {
          operationId: "book",
          summary: "A book",
          description: "A book. For everybody.",
          tags: ["books"],
          security: [],
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string", pattern: "^\\d+$" } },
            { name: "sort", in: "query", schema: { type: "string", enum: ["new", "old"], default: "new" } },
          ],
          responses: {
            200: { description: "The book", content },
            303: { description: "Elsewhere", headers: { Location: { schema: { type: "string" } } } },
            404: { description: "None", content },
          },
        },
      },
    },
    components: {
      securitySchemes: { Cookie: {} },
      schemas: {
        Book: {
          type: "object",
          required: ["title"],
          properties: {
            title: { type: "string" },
            pages: { type: "array", prefixItems: [{}, {}], items: {}, minItems: 2, maxItems: 2 },
          },
        },
      },
    },
  };
}

describe("openApiProblems", () => {
  it("accepts a valid description", () => {
    expect(openApiProblems(sound())).toEqual([]);
  });

  const BOOK = "paths /books/{id}.json get";
  const SCHEMA = "components schemas Book";
  const other = (more: object) => ({
    get: { ...Object(sound())["paths"]["/books/{id}.json"]["get"], ...more },
  });

  it.each([
    ["components schemas Book properties by", { $ref: "#/nobody" }, "#/nobody is not there"],
    ["components schemas Author", {}, "Author is not used"],
    ["paths /books/{key}.json", {}, "/books/{}.json stands twice"],
    ["paths books", {}, "does not begin with a slash"],
    ["paths /x", { brew: other({ operationId: "x" }).get }, "/x has brew"],
    ["paths /x", other({}), "operation id book stands twice"],
    [`${BOOK} description`, undefined, "is not described"],
    [`${BOOK} summary`, "", "is not described"],
    [`${BOOK} operationId`, "a book", "has no id"],
    [`${BOOK} tags`, ["novels"], "not declared"],
    [`${BOOK} tags`, [], "not declared"],
    [`${BOOK} security`, undefined, "does not say who"],
    [`${BOOK} security`, [{ Key: [] }], "unknown scheme Key"],
    [`${BOOK} parameters 0 name`, "key", "parameters of its path"],
    [`${BOOK} parameters 0 required`, false, "parameters of its path"],
    [`${BOOK} parameters 2`, { name: "sort", in: "query" }, "query sort stands twice"],
    [`${BOOK} responses`, { 404: { description: "None" } }, "never succeeds"],
    [`${BOOK} responses 200 description`, "", "200 is not wholly"],
    [`${BOOK} responses 404 content text/html`, undefined, "404 is not wholly"],
    [`${BOOK} responses 303 headers`, undefined, "303 is not wholly"],
    [`${BOOK} responses 2xx`, { description: "The book" }, "2xx is not wholly"],
    [`${BOOK} parameters 0 schema pattern`, "(", "the pattern ("],
    [`${BOOK} parameters 1 schema default`, "x", "none of the values"],
    [`${SCHEMA} nullable`, true, "the word nullable"],
    [`${SCHEMA} type`, "book", "the type book"],
    [`${SCHEMA} required 1`, "by", "by without a property"],
    [`${SCHEMA} properties pages items`, undefined, "an array without items"],
    [`${SCHEMA} properties pages maxItems`, undefined, "a tuple without an end"],
    [`${SCHEMA} properties title`, { anyOf: [{}] }, "everything fits"],
  ])("%s %j: %s", (place, value, problem) => {
    const document = structuredClone(sound());
    const names = place.split(" ");
    const last = names.pop() ?? "";
    const node = names.reduce((inner, name) => Object(inner)[name], document);
    if (value === undefined) Reflect.deleteProperty(node, last);
    else Reflect.set(node, last, value);
    expect(openApiProblems(document).join("\n")).toContain(problem);
  });
});
