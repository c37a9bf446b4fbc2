import { describe, expect, it } from "vitest";
import {
  MalformedUpdate,
  parseJsonCommands,
  splitJsonMembers,
  parseXmlCommands,
} from "../../../../src/search/solr/update-commands.ts";

describe("splitJsonMembers", () => {
  it.each([
    ["{}", []],
    ['{"a":1}', [["a", "1"]]],
    [
      ' { "a" : {"b":[1,"}"]} , "a":[] ,"c":"x\\",y"} ',
      [
        ["a", '{"b":[1,"}"]}'],
        ["a", "[]"],
        ["c", '"x\\",y"'],
      ],
    ],
    [
      '{"\\u0061":null,"":"{"}',
      [
        ["a", "null"],
        ["", '"{"'],
      ],
    ],
  ])("%s", (text, members) => {
    expect(splitJsonMembers(text)).toEqual(members);
  });
});

describe("parseJsonCommands", () => {
  it("reads repeated commands in order", () => {
    const text = `{"add":{"doc":{"key":"/works/OL1W"},"overwrite":true},"delete":{"id":"/works/OL2W"},
      "add":{"doc":{"key":"/works/OL3W"}},"delete":["/works/OL4W",{"id":"/works/OL5W"}],
      "delete":{"query":"type:author"},"delete":"/works/OL6W","add":[{"key":"a"},{"key":"b"}],"commit":{}}`;
    expect(parseJsonCommands(text)).toEqual([
      { kind: "add", document: { key: "/works/OL1W" } },
      { kind: "delete", keys: ["/works/OL2W"] },
      { kind: "add", document: { key: "/works/OL3W" } },
      { kind: "delete", keys: ["/works/OL4W", "/works/OL5W"] },
      { kind: "delete-matching", query: "type:author" },
      { kind: "delete", keys: ["/works/OL6W"] },
      { kind: "add", document: { key: "a" } },
      { kind: "add", document: { key: "b" } },
      { kind: "commit" },
    ]);
  });

  it("reads a list of documents", () => {
    expect(parseJsonCommands('[{"key":"a"}]')).toEqual([{ kind: "add", document: { key: "a" } }]);
    expect(parseJsonCommands(" [] ")).toEqual([]);
  });

  it.each(["", "x", "{", '{"add":1}', '{"add":{"boost":1}}', "[1]", '{"nothing":{}}', '"text"'])(
    "refuses %j",
    (text) => {
      expect(() => parseJsonCommands(text)).toThrow(MalformedUpdate);
    },
  );
});

describe("parseXmlCommands", () => {
  it.each([
    ["<commit />", [{ kind: "commit" }]],
    ["<optimize/>", [{ kind: "commit" }]],
    ["<delete><id>/works/OL1W</id></delete>", [{ kind: "delete", keys: ["/works/OL1W"] }]],
    [
      "<delete><query>name:&quot;a &amp; b&quot;</query></delete>",
      [{ kind: "delete-matching", query: 'name:"a & b"' }],
    ],
  ])("%s", (text, commands) => {
    expect(parseXmlCommands(text)).toEqual(commands);
  });

  it.each(["", "<add><doc/></add>", "<nothing/>"])("refuses %j", (text) => {
    expect(() => parseXmlCommands(text)).toThrow(MalformedUpdate);
  });
});
