import { expect, it } from "vitest";
import { randomFrom } from "../../../../bench/lib/random.mjs";
import { operationsOf } from "../../../../bench/openapi/description.mjs";
import { requestOf } from "../../../../bench/openapi/requests.mjs";

const REQUESTS = 2000;
const form = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string", maxLength: 5 }, count: { type: "integer", minimum: 1 } },
};
const schemas = {
  "application/x-www-form-urlencoded": { schema: form },
  "application/json": { schema: form },
};
const [read, write] = operationsOf({
  paths: {
    "/works/OL{work_id}W.json": {
      get: {
        operationId: "work",
        parameters: [
          { name: "work_id", in: "path", required: true, schema: { type: "string" } },
          {
            name: "limit",
            in: "query",
            required: false,
            schema: { type: "integer", minimum: 0, maximum: 9 },
          },
        ],
        responses: {},
      },
    },
    "/save": { post: { operationId: "save", requestBody: { content: schemas }, responses: {} } },
  },
});
const pool = { byName: { work_id: ["1", "2"] }, keys: ["/works/OL1W"], documents: [{ key: "/works/OL1W" }] };

function made(operation = read, seed = 1) {
  if (operation === undefined) throw new Error("no operation");
  const means = { random: randomFrom(seed), pool };
  return Array.from({ length: REQUESTS }, () => requestOf(operation, means));
}

it("the same seed makes the same requests, and another one others", () => {
  expect(made()).toEqual(made());
  expect(made(read, 2)).not.toEqual(made());
});

it("most of them are of the operation, and some are not", () => {
  const sound = made().filter(({ isSound }) => isSound);
  expect(sound.length).toBeGreaterThan(REQUESTS * 0.7);
  expect(sound.length).toBeLessThan(REQUESTS);
  expect(sound.filter(({ target }) => !/^\/works\/OL[^/?]+W\.json(?:\?|$)/.test(target))).toEqual([]);
  expect(sound.filter(({ target }) => /^\/works\/OL[12]W\.json/.test(target)).length).toBeGreaterThan(
    REQUESTS / 2,
  );
});

it("values lie inside, at and beyond their bounds", () => {
  const limits = new Set(made().map(({ target }) => /[?&]limit=(-?\d+)(?:&|$)/.exec(target)?.[1]));
  for (const value of ["1", "0", "-1", "9", "10"]) expect(limits).toContain(value);
});

it("bodies come in every documented form, and in others", () => {
  const types = new Set(made(write).map(({ headers }) => headers["Content-Type"]));
  for (const type of Object.keys(schemas)) expect(types).toContain(type);
  expect(types.size).toBeGreaterThan(3);
  const lengths = made(write).filter(
    ({ body, headers }) => body !== undefined && headers["Content-Length"] === undefined,
  );
  expect(lengths).toEqual([]);
});

it("what is sent can be sent", () => {
  const all = [...made(), ...made(write)];
  expect(all.filter(({ target }) => /[^\x21-\x7e]/.test(target))).toEqual([]);
  expect(all.filter(({ headers }) => Object.values(headers).some((value) => /[\r\n\0]/.test(value)))).toEqual(
    [],
  );
});
