// Q525, of every parameter of every route.
import { expect, it } from "vitest";
import { Failure } from "../../../src/worker/http/failure.ts";
import { checkInput, inputSchemas } from "../../../src/worker/http/input.ts";
import { type AnyOperation, loadRoutes } from "../../../src/worker/http/operation.ts";
import { ROUTES } from "../../../src/worker/routes.ts";

/** Returns the checked query of an operation, or its failures. */
function receivedQuery(operation: AnyOperation, query: URLSearchParams): unknown {
  const { path } = inputSchemas(operation);
  const places = Object.fromEntries(Object.keys(path.schema.shape).map((name) => [name, "1"]));
  try {
    return checkInput(inputSchemas(operation), { path: places, query, body: { kind: "none" } }).query;
  } catch (error) {
    return error instanceof Failure ? error.body : error;
  }
}

const operations = (await loadRoutes(ROUTES))
  .flatMap(({ operation }) => [operation, operation.programs ?? []].flat())
  .filter(({ query }) => Object.keys(query).length > 0);

it("an empty optional parameter counts as absent", () => {
  expect(operations.length).toBeGreaterThan(100);
  for (const operation of operations) {
    const absent = receivedQuery(operation, new URLSearchParams());
    for (const text of ["", " "]) {
      const empty = new URLSearchParams(
        Object.entries(operation.query).flatMap(([name, schema]) =>
          schema.safeParse(undefined).success ? [[name, text]] : [],
        ),
      );
      expect([operation.id, receivedQuery(operation, empty)]).toEqual([operation.id, absent]);
    }
  }
});
