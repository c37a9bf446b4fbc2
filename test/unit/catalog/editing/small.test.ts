import { describe, expect, it } from "vitest";
import { formatDocument } from "../../../../src/catalog/editing/rights.ts";
import { findMissingMember } from "../../../../src/catalog/editing/values.ts";
import {
  KIND_GROUPS,
  parseClientKind,
  readOptHeaders,
  takeControlMembers,
} from "../../../../src/catalog/editing/write-request.ts";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";

describe("takeControlMembers", () => {
  it("removes the members about the change", () => {
    const document = { _comment: "c", title: "T", _action: "edit-book", _data: { a: 1 } };
    expect(takeControlMembers(document)).toEqual({
      document: { title: "T" },
      comment: "c",
      action: "edit-book",
      data: { a: 1 },
    });
    expect(Object.keys(document)).toHaveLength(4);
  });

  it.each<[CatalogRecord, object]>([
    [{ title: "T" }, { document: { title: "T" } }],
    [{ _comment: null, _action: null, _data: null }, { document: {} }],
    [
      { _comment: "", _action: "", _data: {} },
      { document: {}, comment: "", data: {} },
    ],
    [{ _comment: 5, _action: [], _data: "x" }, { document: { _comment: 5, _action: [], _data: "x" } }],
    [{ inner: { _comment: "stays" } }, { document: { inner: { _comment: "stays" } } }],
  ])("%j", (document, expected) => expect(takeControlMembers(document)).toEqual(expected));
});

describe("parseClientKind", () => {
  it.each([
    "update",
    "bulk_update",
    "merge-works",
    "edit-book",
    "a",
    `a${"b".repeat(63)}`,
    "default-update",
    "lists",
  ])("%s", (kind) => expect(parseClientKind(kind)).toBe(kind));

  it.each(["", "Update", "1a", "-a", "a b", "é", `a${"b".repeat(64)}`, "update\n"])("refuses %j", (kind) => {
    expect(parseClientKind(kind)).toMatchObject({ status: 400, error: "bad_data", value: kind });
  });

  it.each(["new-account", "undo", "revert", "revert-version", "merge-authors"])("reserves %s", (kind) => {
    expect(parseClientKind(kind)).toMatchObject({
      status: 400,
      text: { key: "bad_data.change_kind_reserved", values: { kind } },
    });
  });

  it("groups renamed kinds", () => {
    expect(KIND_GROUPS.get("update")).toEqual(["update", "default-update"]);
    expect(KIND_GROUPS.get("default-update")).toBe(KIND_GROUPS.get("update"));
    expect(KIND_GROUPS.get("default-bulk-update")).toEqual(["bulk_update", "default-bulk-update"]);
    expect(KIND_GROUPS.get("lists")).toHaveLength(8);
    expect(KIND_GROUPS.get("create-list")).toBeUndefined();
  });
});

describe("findMissingMember", () => {
  it.each<[string, string, Json | undefined, string | undefined]>([
    ["work", "title", "T", undefined],
    ["work", "title", undefined, "title"],
    ["work", "title", " ", "title"],
    ["work", "title", null, "title"],
    ["work", "title", 5, undefined],
    ["edition", "title", "", "title"],
    ["author", "name", [], "name"],
    ["author", "title", "x", "name"],
    ["series", "name", 5, "name"],
    ["series", "name", "S", undefined],
    ["tag", "name", undefined, "name"],
    ["publisher", "name", { a: 1 }, "name"],
    ["page", "title", undefined, undefined],
    ["list", "name", undefined, undefined],
  ])("%s with %s %j: %s", (type, name, value, expected) => {
    const document = { type: { key: `/type/${type}` }, ...(value === undefined ? {} : { [name]: value }) };
    expect(findMissingMember(document)?.text.values?.["name"]).toBe(expected);
  });

  it("names the key when there is one", () => {
    expect(findMissingMember({ key: "/works/OL1W", type: "/type/work" })).toEqual({
      status: 400,
      error: "bad_data",
      text: { key: "bad_data.missing_member", values: { name: "title" } },
      at: { key: "/works/OL1W", property: "title" },
    });
    expect(findMissingMember({ type: "/type/work" })).not.toHaveProperty("at");
    expect(findMissingMember({ title: "x" })).toBeUndefined();
  });
});

describe("readOptHeaders", () => {
  const read = (headers: Readonly<Record<string, string>>) => {
    const known = new Map(Object.entries(headers));
    return readOptHeaders((name) => known.get(name) ?? null);
  };
  const OPT = '"http://openlibrary.org/dev/docs/api"; ns=42';

  it("reads all headers", () => {
    const headers = {
      Opt: OPT,
      "42-comment": "Merge works",
      "42-action": "merge-works",
      "42-data": '{"master": "/works/OL1W", "duplicates": ["/works/OL2W"], "mrid": null}',
    };
    expect(read(headers)).toEqual({
      comment: "Merge works",
      action: "merge-works",
      data: { master: "/works/OL1W", duplicates: ["/works/OL2W"], mrid: null },
    });
  });

  it.each<[Record<string, string>, object]>([
    [{}, {}],
    [{ "42-comment": "c" }, {}],
    [{ Opt: OPT }, {}],
    [{ Opt: OPT, "42-comment": "", "42-action": "", "42-data": " " }, { comment: "" }],
    [{ Opt: OPT, "43-comment": "c" }, {}],
    [{ Opt: '"https://carrel.example/dev/docs/api";ns=07', "07-comment": "c" }, { comment: "c" }],
    [{ Opt: "http://openlibrary.org/dev/docs/api; ns=42", "42-comment": "c" }, {}],
    [{ Opt: '"http://openlibrary.org/dev/docs/api"; ns=4', "4-comment": "c" }, {}],
    [{ Opt: OPT, "42-comment": "Ã¤ndern" }, { comment: "ändern" }],
    [{ Opt: OPT, "42-comment": "ändern" }, { comment: "ändern" }],
    [{ Opt: OPT, "42-comment": "日本 é" }, { comment: "日本 é" }],
  ])("%j", (headers, expected) => expect(read(headers)).toEqual(expected));

  it.each([
    [{ Opt: '"http://example.org/other"; ns=42' }, "bad_data.opt"],
    [{ Opt: OPT, "42-data": "{" }, "bad_data.json"],
    [{ Opt: OPT, "42-data": "[]" }, "bad_data.json_object"],
    [{ Opt: OPT, "42-data": `{"a":${"[".repeat(99)}${"]".repeat(99)}}` }, "bad_data.depth"],
  ])("refuses %j", (headers, key) => {
    expect(read(headers)).toMatchObject({ status: 400, error: "bad_data", text: { key } });
  });
});

describe("formatDocument", () => {
  it("writes the envelope around the members", () => {
    const write = { key: "/works/OL1W", type: "/type/work", members: { title: "é", links: [{ url: "u" }] } };
    const envelope = {
      revision: 2,
      created: "2009-12-09T19:57:50.403210",
      now: "2026-08-20T11:02:41.093000",
    };
    expect(formatDocument(write, envelope)).toBe(
      '{"key":"/works/OL1W","type":{"key":"/type/work"},"title":"é","links":[{"url":"u"}],' +
        '"latest_revision":2,"revision":2,' +
        '"created":{"type":"/type/datetime","value":"2009-12-09T19:57:50.403210"},' +
        '"last_modified":{"type":"/type/datetime","value":"2026-08-20T11:02:41.093000"}}',
    );
  });
});
