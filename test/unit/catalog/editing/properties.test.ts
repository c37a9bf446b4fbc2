import { describe, expect, it } from "vitest";
import { prepareWrites, referencesOf } from "../../../../src/catalog/editing/prepare.ts";
import {
  type PreparedWrite,
  type StoredForWrite,
  formatDocument,
} from "../../../../src/catalog/editing/rights.ts";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";
import { typeDefinitionOf, listTypeKeys } from "../../../../src/catalog/types.ts";
import { toReadView } from "../../../../src/catalog/document.ts";
import { HOSTILE, pick, randomStream, randomText } from "../random.ts";
import { ADMIN, EDITOR, EXISTING } from "./fixture.ts";

const RUNS = 500;
type Random = () => number;

const KEYS = [...Object.keys(EXISTING), "/works/OL404W", "/a/OL1A", "OL1W", "/books/OL1M"];

/** Any JSON, half of it of the shapes that records are made of. */
function anyValue(random: Random, depth = 0): Json {
  const leaves: (() => Json)[] = [
    () => randomText(random, HOSTILE, 4),
    () => pick(random, ["", " ", "x", "150", "1.5", "true", "soon", "/authors/OL1A"]),
    () => pick(random, [0, 1, -1, 1.5, 1e300]),
    () => pick(random, [null, true, false]),
    () => ({ key: pick(random, KEYS) }),
    () => ({
      type: `/type/${pick(random, ["text", "int", "boolean", "datetime", "work"])}`,
      value: pick(random, ["x", "", "1"]),
    }),
  ];
  const branches: (() => Json)[] = [
    () => Array.from({ length: Math.floor(random() * 3) }, () => anyValue(random, depth + 1)),
    () =>
      Object.fromEntries(
        Array.from({ length: Math.floor(random() * 3) }, () => [
          pick(random, [
            "type",
            "key",
            "author",
            "url",
            "title",
            "value",
            "__proto__",
            "constructor",
            "level",
          ]),
          anyValue(random, depth + 1),
        ]),
      ),
  ];
  return pick(random, depth > 3 ? leaves : [...leaves, ...branches, ...branches])();
}

/** A value that a declared property may well have. */
function fittingValue(random: Random, expected: string): Json {
  const fitting = Object.keys(EXISTING).filter((key) => EXISTING[key] === expected);
  if (fitting.length > 0) return pick<Json>(random, [{ key: fitting[0]! }, fitting[0]!]);
  const embedded = typeDefinitionOf(expected);
  if (embedded?.kind === "embeddable") {
    return Object.fromEntries(
      embedded.properties.map(({ name, expected_type }) => [name, fittingValue(random, expected_type)]),
    );
  }
  return pick<Json>(random, ["x", "", "7", 7, true, { type: expected, value: "x" }, { key: "/works/OL1W" }]);
}

function anyMember(random: Random, type: string): [string, Json] {
  const properties = typeDefinitionOf(type)?.properties ?? [];
  const free = ["identifiers", "title_prefix", "table_of_contents", "seeds", "id", "revision", "constructor"];
  if (properties.length === 0 || random() < 0.3) return [pick(random, free), anyValue(random)];
  const { name, unique, expected_type } = pick(random, properties);
  if (random() < 0.3) return [name, anyValue(random)];
  return [name, unique ? fittingValue(random, expected_type) : [fittingValue(random, expected_type)]];
}

const TYPES = listTypeKeys().filter((key) => typeDefinitionOf(key)?.kind === "regular");

function anyDocument(random: Random): CatalogRecord {
  const type = pick(random, random() < 0.6 ? ["/type/work", "/type/edition", "/type/author"] : TYPES);
  const members = Array.from({ length: Math.floor(random() * 6) }, () => anyMember(random, type));
  return {
    key: "/works/OL9W",
    type: pick<Json>(random, [type, { key: type }]),
    ...Object.fromEntries(members),
  };
}

const ENVELOPE = { revision: 4, created: "2009-12-09T19:57:50.403210", now: "2026-08-20T11:02:41.093000" };

function storedWrite(write: PreparedWrite): StoredForWrite {
  const document = JSON.parse(formatDocument(write, ENVELOPE)) as CatalogRecord;
  return { id: 1, key: write.key, type: write.type, revision: ENVELOPE.revision, document };
}

/** A record as a dump may have brought it: nothing was checked. */
function loaded(document: CatalogRecord): StoredForWrite {
  const type =
    typeof document["type"] === "string" ? document["type"] : Object.values(document["type"] as object)[0];
  return { id: 1, key: "/works/OL9W", type: String(type), revision: 2, document };
}

function prepare(document: CatalogRecord, before: StoredForWrite | undefined, rules = ADMIN) {
  return prepareWrites([document], {
    prefix: "OL",
    stored: new Map(before === undefined ? [] : [[before.key, before]]),
    referenceTypes: new Map(Object.entries(EXISTING)),
    rules,
  });
}

describe("random documents", () => {
  it("are unchanged when the stored form is sent again", () => {
    const random = randomStream(1);
    let accepted = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const { writes, failures } = prepare(anyDocument(random), undefined);
      const write = writes[0];
      if (failures.length > 0 || write === undefined) continue;
      accepted += 1;
      const before = storedWrite(write);
      const again = prepare(before.document, before, EDITOR);
      expect(again).toEqual({ writes: [{ ...write, before, isChanged: false }], failures: [] });
      // Without the stored one to compare with, everything is checked anew, and is already in its form.
      expect(prepare(before.document, undefined)).toEqual({ writes: [write], failures: [] });
      expect(JSON.parse(JSON.stringify(before.document))).toEqual(before.document);
    }
    expect(accepted).toBeGreaterThan(RUNS / 5);
  });

  it("are unchanged when the read view is sent back", () => {
    const random = randomStream(2);
    for (let run = 0; run < RUNS; run += 1) {
      const before = loaded(anyDocument(random));
      for (const sent of [before.document, toReadView(before.document)]) {
        expect(prepare({ ...sent, revision: 99, latest_revision: 1 }, before, EDITOR)).toMatchObject({
          writes: [{ isChanged: false }],
          failures: [],
        });
        const edited = prepare({ ...sent, an_addition: "x" }, before, EDITOR);
        expect(edited.failures).toEqual([]);
      }
    }
  });

  it("fail independently of unnamed records, without throwing", () => {
    const random = randomStream(3);
    for (let run = 0; run < RUNS; run += 1) {
      const documents = [anyDocument(random), { ...anyDocument(random), key: "/books/OL9M" }];
      const text = JSON.stringify(documents);
      const keysRead: string[] = [];
      const referenceTypes = new Map(Object.entries(EXISTING));
      const get = referenceTypes.get.bind(referenceTypes);
      referenceTypes.get = (key) => {
        keysRead.push(key);
        return get(key);
      };
      prepareWrites(documents, { prefix: "OL", stored: new Map(), referenceTypes, rules: EDITOR });
      const named = referencesOf(documents);
      expect(keysRead.filter((key) => !named.includes(key))).toEqual([]);
      expect(JSON.stringify(documents)).toBe(text);
    }
  });
});
