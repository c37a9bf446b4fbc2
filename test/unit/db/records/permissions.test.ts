import { describe, expect, it } from "vitest";
import {
  type PermissionRow,
  type PlaceRow,
  ancestorsOf,
  permissionsOf,
  placesAbove,
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
  readonly who: string | null;
  readonly groups?: readonly string[];
  readonly places?: readonly PlaceRow[];
}
const may = ({ who, groups = [], places = [] }: Case, key: string): boolean =>
  permissionsOf(who, {
    places,
    permissions: PERMISSIONS,
    groups: groups.map((group) => ({ key: `/usergroup/${group}` })),
  }).mayWrite(key);

describe("who may write without a permission record", () => {
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
    expect(may({ who: "/people/ann" }, key)).toBe(expected);
    expect(may({ who: null }, key)).toBe(false);
    expect(may({ who: "/people/admin" }, key)).toBe(true);
    expect(may({ who: "/people/ann", groups: ["admin"] }, key)).toBe(true);
    expect(may({ who: "/people/ann", groups: ["read-only"] }, key)).toBe(false);
    expect(may({ who: "/people/ann", groups: ["read-only", "admin"] }, key)).toBe(false);
  });
});

describe("who may write by permission records", () => {
  const own = "/works/OL1W";
  it.each<[string, Case, string, boolean]>([
    ["own record", { who: "/people/ann", places: [place(own, "/permission/restricted")] }, own, false],
    [
      "own record, open",
      { who: "/people/ann", places: [place("/about", "/permission/open")] },
      "/about",
      true,
    ],
    ["open, nobody", { who: null, places: [place("/about", "/permission/open")] }, "/about", false],
    [
      "logged in",
      { who: "/people/ann", places: [place("/", null, "/permission/loggedinusers")] },
      "/about",
      true,
    ],
    [
      "group",
      { who: "/people/ann", groups: ["librarians"], places: [place("/a", "/permission/librarians")] },
      "/a",
      true,
    ],
    [
      "other group",
      { who: "/people/ann", groups: ["api"], places: [place("/a", "/permission/librarians")] },
      "/a",
      false,
    ],
    [
      "of the folder",
      { who: "/people/ann", places: [place("/works", "/permission/restricted")] },
      own,
      false,
    ],
    [
      "child before own of the folder",
      {
        who: "/people/ann",
        places: [place("/works", "/permission/restricted", "/permission/loggedinusers")],
      },
      own,
      true,
    ],
    [
      "nearer before further",
      {
        who: "/people/ann",
        places: [place("/", "/permission/restricted"), place("/works", "/permission/open")],
      },
      own,
      true,
    ],
    [
      "own before folder",
      {
        who: "/people/ann",
        places: [place(own, "/permission/open"), place("/works", "/permission/restricted")],
      },
      own,
      true,
    ],
    ...["/usergroup/admin", "/permission/open", "/type/work", "/admin/block"].map(
      (key): [string, Case, string, boolean] => [
        `not by the root: ${key}`,
        { who: "/people/ann", places: [place("/", "/permission/open", "/permission/open")] },
        key,
        false,
      ],
    ),
    [
      "by a folder that is guarded",
      { who: "/people/ann", places: [place("/type", null, "/permission/open")] },
      "/type/work",
      true,
    ],
    ["no writers", { who: "/people/ann", places: [place(own, "/permission/none")] }, own, false],
    ["odd writers", { who: "/people/ann", places: [place(own, "/permission/odd")] }, own, false],
    [
      "missing permission record",
      { who: "/people/ann", places: [place(own, "/permission/gone")] },
      own,
      false,
    ],
    ["somebody else's list", { who: "/people/ann", places: [jane] }, "/people/jane/lists/OL1L", false],
  ])("%s", (_name, who, key, expected) => {
    expect(may(who, key)).toBe(expected);
    const granted = may({ ...who, groups: ["admin"] }, key);
    expect(granted).toBe(who.who !== null);
  });

  it("a patron his own records, and nothing above them", () => {
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

describe("what lies above a key", () => {
  it.each([
    ["/people/a/lists/OL1L", ["/people/a/lists", "/people/a", "/people", "/"]],
    ["/about", ["/"]],
    ["/", []],
  ])("%s", (key, expected) => {
    expect(ancestorsOf(key)).toEqual(expected);
  });
  it("counts once", () => {
    expect(placesAbove(["/works/OL1W", "/works/OL2W"])).toEqual(["/works", "/"]);
  });
});
