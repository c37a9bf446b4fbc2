import { expect, it } from "vitest";
import { indexRowsOf } from "../../../../src/catalog/index-rows.ts";
import { affectedKeysOf } from "../../../../src/db/editing/revisions.ts";

it("what a change shows are records, and no texts that begin like a key", () => {
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
