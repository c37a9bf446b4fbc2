import { expect, it } from "vitest";
import { indexRowsOf } from "../../../../src/catalog/index-rows.ts";
import { affectedKeysOf } from "../../../../src/db/editing/revisions.ts";

it("finds the records of a change, but no texts that look like keys", () => {
  const none = { properties: [], identifiers: [], languages: [] };
  const work = {
    key: "/works/OL1W",
    type: { key: "/type/work" },
    title: "/no/key",
    authors: [{ author: { key: "/authors/OL1A" } }],
  };
  expect(affectedKeysOf({ key: "/works/OL1W", added: indexRowsOf(work, "OL"), removed: none })).toEqual([
    "/works/OL1W",
    "/authors/OL1A",
  ]);
});
