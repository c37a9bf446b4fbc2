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

it("makes the same requests for the same seed", () => {
  expect(made()).toEqual(made());
  expect(made(read, 2)).not.toEqual(made());
});

it("makes requests without characters that cannot be sent", () => {
  const all = [...made(), ...made(write)];
  expect(all.filter(({ target }) => /[^\x21-\x7e]/.test(target))).toEqual([]);
  expect(all.filter(({ headers }) => Object.values(headers).some((value) => /[\r\n\0]/.test(value)))).toEqual(
    [],
  );
});
