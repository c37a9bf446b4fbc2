import { describe, expect, it } from "vitest";
import { utf8Length } from "../../../src/catalog/utf8.ts";
import type { RevisionWrite } from "../../../src/db/editing/revisions.ts";
import { changeStatements } from "../../../src/db/editing/commit.ts";
import { PARAMETER_BYTES, overList } from "../../../src/db/statement.ts";

/** What D1 takes as one value, in bytes. */
const D1_VALUE_BYTES = 2_000_000;

describe("a list as parameter", () => {
  const parts = (list: readonly unknown[]) =>
    overList(list, "sql").map(({ values }) => JSON.parse(String(values[0])) as unknown[]);

  it("is one when it is short, and none when it is empty", () => {
    expect(overList([1, "a"], "sql")).toEqual([{ sql: "sql", values: ['[1,"a"]'] }]);
    expect(overList([], "sql")).toEqual([]);
  });

  it.each(["a", "€", '"', "😀"])(
    "is in parts when it is long, with all elements in order: %s",
    (character) => {
      const list = Array.from({ length: 3000 }, (_one, index) => `${index} ${character.repeat(400)}`);
      const found = parts(list);
      expect(found.length).toBeGreaterThan(1);
      expect(found.flat()).toEqual(list);
      for (const part of found) expect(utf8Length(JSON.stringify(part))).toBeLessThanOrEqual(PARAMETER_BYTES);
    },
  );

  it("holds what is longer than a part alone", () => {
    const long = "x".repeat(PARAMETER_BYTES);
    expect(parts([1, long, 2]).map((part) => part.length)).toEqual([1, 1, 1]);
  });
});

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
      const statements = changeStatements(entry, writes, { sequences: new Map() });
      const values = statements.flatMap((statement) => statement.values).map(String);
      expect(values).toContain(document);
      expect(Math.max(...values.map(utf8Length))).toBeLessThan(D1_VALUE_BYTES);
    }
  });
});
