// Q525, of every parameter of every route that is an integer.
import { expect, it } from "vitest";
import type * as z from "zod";
import { CarrelError } from "../../../src/worker/http/errors.ts";
import { checkInput, inputSchemas } from "../../../src/worker/http/input.ts";
import { type AnyOperation, operation } from "../../../src/worker/http/operation.ts";
import { ROUTES } from "../../../src/worker/routes.ts";

/** The parameters of an operation, those of its `programs` among them. */
function parameters({ id, query, form = {}, programs }: AnyOperation): [string, z.ZodType][] {
  const own = Object.entries({ ...query, ...form }).map(
    ([name, schema]) => [`${id} ${name}`, schema] as const,
  );
  return [
    ...own.map(([name, schema]): [string, z.ZodType] => [name, schema]),
    ...(programs === undefined ? [] : parameters(programs)),
  ];
}

/** What an operation with this parameter alone gets; the failures when it gets nothing. */
function received(schema: z.ZodType, query: string): unknown {
  const one = operation({
    id: "one",
    summary: "",
    tag: "",
    query: { n: schema },
    responses: {},
    handle: () => ({ status: 200, body: null }),
  });
  try {
    return checkInput(inputSchemas(one), {
      path: {},
      query: new URLSearchParams(query),
      body: { kind: "none" },
    });
  } catch (error) {
    return error instanceof CarrelError ? error.body : error;
  }
}

const INTEGERS = ROUTES.flatMap((route) => parameters(route.operation)).filter(([, schema]) =>
  JSON.stringify(received(schema, "n=x")).includes("int_parsing"),
);

it("an empty integer counts as missing", () => {
  expect(INTEGERS.length).toBeGreaterThan(40);
  for (const [name, schema] of INTEGERS) {
    const absent = received(schema, "");
    for (const query of ["n=", "n=+", "n=&n="])
      expect([name, received(schema, query)]).toEqual([name, absent]);
  }
});
