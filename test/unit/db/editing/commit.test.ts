import { describe, expect, it } from "vitest";
import { utf8Length } from "../../../../src/catalog/bytes.ts";
import { changeStatementsOf } from "../../../../src/db/editing/commit.ts";
import type { RevisionWrite } from "../../../../src/db/editing/revisions.ts";

/** Maximum size of a bound value of D1, in bytes. */
const D1_VALUE_BYTES = 2_000_000;

describe("the values of a change", () => {
  const none = { properties: [], identifiers: [], languages: [] };
  const places = ["new-record", "new-latest", "history", "replace-latest", "replace-history"] as const;
  const write = (place: RevisionWrite["place"], document: string): RevisionWrite => ({
    id: 1,
    key: "/works/OL1W",
    type: "/type/work",
    revision: 2,
    flags: 0,
    created: "",
    lastModified: "",
    document,
    expected: 1,
    expectedChange: 1,
    isSameType: true,
    place,
    added: none,
    removed: none,
  });
  const entry = {
    kind: "update",
    author: null,
    comment: null,
    bot: false,
    ip: null,
    created: "",
    changes: null,
    data: "{}",
  };

  it.each(['"', "\\", "€", "a"])("fit into D1 for documents of 1 MiB of %s", (character) => {
    const length = Math.floor((1024 * 1024) / utf8Length(character));
    const document = character.repeat(length);
    for (const place of places) {
      const writes = [write(place, document), write(place, "{}")];
      const statements = changeStatementsOf({ entry, writes, sequences: new Map() });
      const values = statements.flatMap((statement) => statement.values).map(String);
      expect(values).toContain(document);
      expect(Math.max(...values.map(utf8Length))).toBeLessThan(D1_VALUE_BYTES);
    }
  });
});
