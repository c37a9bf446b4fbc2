// npm: @library-pals/isbn. It finds a book with /search.json and then reads the description of its work;
// only the second half can be tested before there is a search.
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { getDescription as description } from "../../node_modules/@library-pals/isbn/types/providers/open-library.js";
import { reroute } from "../support/node/reroute.ts";

// The package exports only its whole; this is the part that reads a record.
const provider = "../../node_modules/@library-pals/isbn/src/providers/open-library.js";
const { getDescription } = (await import(provider)) as { getDescription: typeof description };

beforeAll(() => reroute(inject("carrel")));

describe("getDescription", () => {
  it("takes the value of a text", async () => {
    expect(await getDescription("/works/OL1W")).toBe("Elizabeth Bennet meets Mr Darcy.");
  });

  it("takes a plain string", async () => {
    expect(await getDescription("/works/OL6W")).toBe("A student makes a creature.");
  });

  it.each(["/works/OL8W", "/works/OL12W", "/works/OL999W"])("is empty for %s, that has none", async (key) => {
    expect(await getDescription(key)).toBe("");
  });
});
