import { describe, expect, it } from "vitest";
import {
  type PermissionRow,
  type PlaceRow,
  permissionStatements,
  permissionsOf,
} from "../../../../src/db/records/permissions.ts";

const permission = (name: string, ...writers: string[]): PermissionRow => ({
  key: name,
  writers: JSON.stringify(writers.map((key) => ({ key }))),
});
const place = (key: string, own: string | null, child: string | null = null): PlaceRow => ({
  key,
  permission: own,
  child,
});
const PERMISSIONS = [
  permission("/permission/open", "/usergroup/everyone"),
  permission("/permission/loggedinusers", "/usergroup/allusers"),
  permission("/permission/restricted", "/usergroup/admin"),
  permission("/permission/librarians", "/usergroup/librarians"),
  permission("/people/jane/permission", "/people/jane/usergroup"),
  { key: "/permission/none", writers: null },
  { key: "/permission/odd", writers: '{"key": "/usergroup/everyone"}' },
];
const jane = place("/people/jane", "/people/jane/permission");

interface Case {
  readonly who?: string | null;
  readonly groups?: readonly string[];
  readonly places?: readonly PlaceRow[];
}
const may = (key: string, { who = "/people/ann", groups = [], places = [] }: Case): boolean =>
  permissionsOf(who, {
    places,
    permissions: PERMISSIONS,
    groups: groups.map((group) => ({ key: `/usergroup/${group}` })),
  }).mayWrite(key);

describe("write access without a permission record", () => {
  it.each([
    ["/works/OL1W", true],
    ["/books/OL1M", true],
    ["/authors/OL1A", true],
    ["/series/OL1L", true],
    ["/lists/OL1L", true],
    ["/tags/OL1T", true],
    ["/works", false],
    ["/publishers/OL1P", false],
    ["/languages/eng", false],
    ["/people/jane", false],
    ["/people/jane/lists/OL1L", false],
    ["/usergroup/admin", false],
    ["/permission/open", false],
    ["/type/work", false],
    ["/about", false],
    ["/", false],
  ])("%s: any user %s", (key, expected) => {
    expect(may(key, {})).toBe(expected);
    expect(may(key, { who: null })).toBe(false);
    expect(may(key, { who: "/people/admin" })).toBe(true);
    expect(may(key, { groups: ["admin"] })).toBe(true);
    expect(may(key, { groups: ["read-only"] })).toBe(false);
    expect(may(key, { groups: ["read-only", "admin"] })).toBe(false);
  });
});

describe("write access by permission records", () => {
  const own = "/works/OL1W";
  const restricted = place("/works", "/permission/restricted");
  const librarians = place("/a", "/permission/librarians");
  const inWorks = place("/works", "/permission/restricted", "/permission/loggedinusers");
  it.each<[name: string, places: PlaceRow[], key: string, expected: boolean, groups?: string[]]>([
    ["own record", [place(own, "/permission/restricted")], own, false],
    ["own record, open", [place("/about", "/permission/open")], "/about", true],
    ["logged in", [place("/", null, "/permission/loggedinusers")], "/about", true],
    ["group", [librarians], "/a", true, ["librarians"]],
    ["other group", [librarians], "/a", false, ["api"]],
    ["of the folder", [restricted], own, false],
    ["child before own of the folder", [inWorks], own, true],
    [
      "nearer before further",
      [place("/", "/permission/restricted"), place("/works", "/permission/open")],
      own,
      true,
    ],
    ["own before folder", [place(own, "/permission/open"), restricted], own, true],
    ...["/usergroup/admin", "/permission/open", "/type/work", "/admin/block"].map(
      (key): [string, PlaceRow[], string, boolean] => [
        `not by the root: ${key}`,
        [place("/", "/permission/open", "/permission/open")],
        key,
        false,
      ],
    ),
    ["by a folder that is guarded", [place("/type", null, "/permission/open")], "/type/work", true],
    ["no writers", [place(own, "/permission/none")], own, false],
    ["odd writers", [place(own, "/permission/odd")], own, false],
    ["missing permission record", [place(own, "/permission/gone")], own, false],
    ["somebody else's list", [jane], "/people/jane/lists/OL1L", false],
  ])("%s", (_name, places, key, expected, groups) => {
    expect(may(key, { places, groups: groups ?? [] })).toBe(expected);
    expect(may(key, { places, groups: ["admin"] })).toBe(true);
    expect(may(key, { places, who: null })).toBe(false);
  });

  it("lets a patron write own records only", () => {
    const rows = { places: [jane], permissions: PERMISSIONS, groups: [{ key: "/people/jane/usergroup" }] };
    const { mayWrite, isAdmin } = permissionsOf("/people/jane", rows);
    expect(["/people/jane", "/people/jane/lists/OL1L", "/people/jane/preferences"].map(mayWrite)).toEqual([
      true,
      true,
      true,
    ]);
    expect(["/people", "/people/janet", "/people/ann/lists/OL1L"].map(mayWrite)).toEqual([
      false,
      false,
      false,
    ]);
    expect(isAdmin).toBe(false);
  });
});

it.each([
  [["/people/a/lists/OL1L"], ["/people/a/lists/OL1L", "/people/a/lists", "/people/a", "/people", "/"]],
  [["/about"], ["/about", "/"]],
  [["/"], ["/"]],
  [
    ["/works/OL1W", "/works/OL2W"],
    ["/works/OL1W", "/works/OL2W", "/works", "/"],
  ],
])("%s is decided by its own record and those above it, each once", (keys, expected) => {
  const [statement] = permissionStatements("/people/ann", keys).places;
  expect(JSON.parse(String(statement?.values[0]))).toEqual(expected);
});
