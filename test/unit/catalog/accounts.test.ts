import { describe, expect, it } from "vitest";
import {
  buildAccountRecords,
  isEmail,
  normalizeEmail,
  suggestUsernames,
  checkUsername,
} from "../../../src/catalog/accounts.ts";

describe("checkUsername", () => {
  it.each(["joe", "Jane-Doe_7", "a".repeat(20), "OL1", "OLW", "OL1W-", "administrator", "anonymous", "XY1W"])(
    "%s is a username",
    (name) => expect(checkUsername(name)).toBeUndefined(),
  );

  it.each([
    ["", "pattern"],
    ["ab", "pattern"],
    ["a".repeat(21), "pattern"],
    ["jane.doe", "pattern"],
    ["jane doe", "pattern"],
    ["jané", "pattern"],
    ["jane\n", "pattern"],
    ["a/b/c", "pattern"],
    ["OL1W", "record-id"],
    ["ol12345m", "record-id"],
    ["admin", "reserved"],
    ["ADMIN", "reserved"],
    ["AccountBot", "reserved"],
    ["ImportBot", "reserved"],
    ["anonymous-1", "reserved"],
    ["Anonymous-x", "reserved"],
  ])("%j: %s", (name, problem) => expect(checkUsername(name)).toBe(problem));

  it("knows record ids by the prefix of the service", () => {
    expect(checkUsername("XY1W", "XY")).toBe("record-id");
    expect(checkUsername("OL1W", "XY")).toBeUndefined();
  });
});

describe("suggestUsernames", () => {
  const candidates = (wish: string) => suggestUsernames(wish, { random: () => 0.5 });

  it.each([
    ["@joe", "joe"],
    ["joe.bloggs@home", "joe_bloggs_home"],
    ["@jo", "jo_"],
    ["", "___"],
    ["日本😀", "___"],
    ["@a-name-that-is-far-too-long", "a-name-that-is-far-t"],
    ["anonymous-1", "_anonymous-1"],
  ])("%j wishes for %s first", (wish, first) => {
    expect(candidates(wish)).toEqual([first, ...Array.from({ length: 5 }, () => `${first}5000`)]);
  });

  it.each(["admin", "@ADMIN", "ImportBot", "OL7W"])("never offers %s unchanged", (wish) => {
    const names = candidates(wish);
    expect(names).toHaveLength(5);
    for (const name of names) expect(checkUsername(name)).toBeUndefined();
  });
});

describe("isEmail", () => {
  it.each(["a@b.c", "Jane.Doe+x@mail.example.com", "o'hara@example.org", "ü@exämple.de"])(
    "accepts %s",
    (text) => expect(isEmail(text)).toBe(true),
  );

  it.each([
    "",
    "jane",
    "jane@",
    "@example.com",
    "jane@example",
    "jane@.com",
    "jane@example.",
    "jane@example..com",
    "a b@example.com",
    "a@b@example.com",
    "jane@example.com\r\nBcc: all@example.com",
    "Jane <jane@example.com>",
    "jane@example.com,joe@example.com",
    `${"a".repeat(65)}@example.com`,
    `jane@${"a".repeat(250)}.com`,
  ])("refuses %j", (text) => expect(isEmail(text)).toBe(false));

  it("normalizeEmail lowercases and trims", () =>
    expect(normalizeEmail(" Jane@Example.COM\n")).toBe("jane@example.com"));
});

it("buildAccountRecords returns user, group and permission", () => {
  expect(buildAccountRecords("Jane", "Jane D.")).toEqual([
    {
      key: "/people/Jane",
      type: { key: "/type/user" },
      displayname: "Jane D.",
      permission: { key: "/people/Jane/permission" },
    },
    {
      key: "/people/Jane/usergroup",
      type: { key: "/type/usergroup" },
      members: [{ key: "/people/Jane" }],
    },
    {
      key: "/people/Jane/permission",
      type: { key: "/type/permission" },
      readers: [{ key: "/usergroup/everyone" }],
      writers: [{ key: "/people/Jane/usergroup" }],
      admins: [{ key: "/people/Jane/usergroup" }],
    },
  ]);
});
