// What the fuzz of the interface calls a broken promise.
import { describe, expect, it } from "vitest";
import { problemOf } from "../../../../bench/openapi/check.mjs";
import { operationsOf } from "../../../../bench/openapi/description.mjs";

const document = {
  paths: {
    "/books/{id}.json": {
      get: {
        operationId: "book",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: {
          200: {
            description: "A book",
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Book" } },
              "text/html": { schema: { type: "string" } },
            },
          },
          303: { description: "Elsewhere", headers: { Location: { schema: { type: "string" } } } },
          404: { $ref: "#/components/responses/NotFound" },
        },
      },
    },
    "/{key}": {
      get: {
        operationId: "record",
        parameters: [{ name: "key", in: "path", required: true, schema: {}, "x-takes-slashes": true }],
        responses: { 200: { description: "A record", content: { "text/x-yaml": {} } } },
      },
    },
  },
  components: {
    schemas: { Book: { type: "object", required: ["title"] } },
    responses: { NotFound: { description: "Nothing", content: { "application/json": { schema: {} } } } },
  },
};
const operations = operationsOf(document);
const world = {
  operations,
  document,
  origin: "http://carrel.test:8080",
  secrets: ["the-secret"],
  mayLeadTo: (target: URL) => target.host === "covers.test",
};

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly cookies?: string[];
}

function problem(
  { status = 200, headers = {}, body = "", cookies = [] }: Answer,
  { method = "GET", target = "/books/1.json", isSound = true } = {},
): string | undefined {
  const [operation] = operations;
  if (operation === undefined) throw new Error("no operation");
  const nosniff = { "x-content-type-options": "nosniff" };
  return problemOf(
    {
      operation,
      request: { method, target, isSound, headers: {}, manner: "sound" },
      received: { status, headers: { ...nosniff, ...headers }, cookies, body: Buffer.from(body), ms: 1 },
    },
    world,
  );
}
const JSON_TYPE = { "content-type": "application/json" };
const PAGE = { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'" };

describe("no problem", () => {
  it.each<[string, Answer, Parameters<typeof problem>[1]?]>([
    ["what the document says", { headers: JSON_TYPE, body: '{"title":"Emma"}' }],
    ["the page of it", { headers: PAGE, body: "<p>Emma</p>" }],
    ["a redirect on the site", { status: 303, headers: { location: "/books/2" } }],
    ["one to the covers", { status: 303, headers: { location: "https://covers.test/1.jpg" } }],
    ["an error", { status: 404, headers: JSON_TYPE, body: "{}" }],
    ["a HEAD", { headers: JSON_TYPE }, { method: "HEAD" }],
    ["what another operation says of the path", { headers: { "content-type": "text/x-yaml" }, body: "a: 1" }],
    ["anything but a failure of an odd request", { status: 418, body: "" }, { isSound: false }],
    [
      "read-only mode",
      { status: 503, headers: JSON_TYPE, body: '{"error":"read_only"}' },
      { isSound: false },
    ],
  ])("%s", (_name, answer, request) => {
    expect(problem(answer, request)).toBeUndefined();
  });
});

describe("a problem", () => {
  it.each<[string, Answer, RegExp, Parameters<typeof problem>[1]?]>([
    ["a failure", { status: 500, headers: JSON_TYPE, body: "{}" }, /status 500/],
    ["a failure of an odd request", { status: 503 }, /status 503/, { isSound: false }],
    ["another status", { status: 418 }, /418 is not documented/],
    ["another type", { headers: { "content-type": "image/png" }, body: "x" }, /image\/png is not documented/],
    ["no JSON", { headers: JSON_TYPE, body: "{" }, /no JSON/],
    [
      "no JSON of an odd request",
      { status: 400, headers: JSON_TYPE, body: "{" },
      /no JSON/,
      { isSound: false },
    ],
    ["other JSON", { headers: JSON_TYPE, body: "{}" }, /without title/],
    ["no body", { headers: JSON_TYPE }, /empty body/],
    ["a HEAD with a body", { headers: JSON_TYPE, body: "{}" }, /HEAD/, { method: "HEAD" }],
    ["a redirect to nowhere", { status: 303 }, /without Location/],
    ["a redirect elsewhere", { status: 303, headers: { location: "//evil.test/" } }, /another site/],
    ["a page without its policy", { headers: { "content-type": "text/html" }, body: "x" }, /Security-Policy/],
    ["a page with text of the request", { headers: PAGE, body: `<fuzz"'&>` }, /as it is/],
    ["a secret", { headers: PAGE, body: "the-secret" }, /secret/],
    ["insides", { headers: PAGE, body: "Error: D1_ERROR: no such table" }, /insides/],
    [
      "a session for scripts",
      { headers: PAGE, body: "x", cookies: ["session=/people/a; Path=/"] },
      /scripts can read/,
    ],
    ["405 without the methods", { status: 405 }, /without Allow/, { isSound: false }],
  ])("%s", (_name, answer, reason, request) => {
    expect(problem(answer, request)).toMatch(reason);
  });

  it("reports types that browsers guess", () => {
    const answer = { headers: { ...JSON_TYPE, "x-content-type-options": "" }, body: '{"title":"Emma"}' };
    expect(problem(answer)).toMatch(/X-Content-Type-Options/);
  });
});
