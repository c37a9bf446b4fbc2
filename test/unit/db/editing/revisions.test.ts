import { expect, it } from "vitest";
import { indexRows } from "../../../../src/catalog/index-rows.ts";
import { shownKeys } from "../../../../src/db/editing/revisions.ts";

it("finds the records of a change, but no texts that look like keys", () => {
  const none = { properties: [], identifiers: [], languages: [] };
  const work = {
    key: "/works/OL1W",
    type: { key: "/type/work" },
    title: "/no/key",
    authors: [{ author: { key: "/authors/OL1A" } }],
  };
  expect(shownKeys({ key: "/works/OL1W", added: indexRows(work, "OL"), removed: none })).toEqual([
    "/works/OL1W",
    "/authors/OL1A",
  ]);
});
