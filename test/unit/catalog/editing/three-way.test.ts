import { describe, expect, it } from "vitest";
import { mergeRecords } from "../../../../src/catalog/editing/three-way.ts";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";

const author = (key: string) => ({ author: { key: `/authors/${key}` } });
const role = (key: string) => ({ type: { key: "/type/author_role" }, ...author(key) });
const text = (value: string) => ({ type: "/type/text", value });

/** Name, members of base, ours and theirs, changes, and paths of conflicts. */
const ROWS: readonly [string, CatalogRecord, CatalogRecord, CatalogRecord, CatalogRecord, string[]?][] = [
  ["nothing if nothing was changed here", { title: "a" }, { title: "a" }, { title: "b" }, {}],
  ["nothing if both made the change", { title: "a" }, { title: "b" }, { title: "b" }, {}],
  ["a changed text", { title: "a" }, { title: "b" }, { title: "a" }, { title: "b" }],
  ["an added member", {}, { subtitle: "b" }, {}, { subtitle: "b" }],
  ["a removed member", { subtitle: "a" }, {}, { subtitle: "a" }, { subtitle: null }],
  ["no member that both removed", { subtitle: "a" }, {}, {}, {}],
  ["members that both changed otherwise", { title: "a" }, { title: "b" }, { title: "c" }, {}, ["title"]],
  ["a change of what was removed there", { title: "a" }, { title: "b" }, {}, {}, ["title"]],
  ["a removal of what was changed there", { title: "a" }, {}, { title: "c" }, {}, ["title"]],
  ["additions of different texts", {}, { title: "b" }, { title: "c" }, {}, ["title"]],
  ["the two forms of a text as equal", { notes: "a" }, { notes: "a" }, { notes: text("b") }, {}],
  ["a text that has the other form there", { bio: text("a") }, { bio: text("b") }, { bio: "b" }, {}],
  ["blank values as absent", { notes: "" }, { notes: "b" }, { notes: [] }, { notes: "b" }],
  [
    "numbers and flags as they are",
    { number_of_pages: 1 },
    { number_of_pages: 0 },
    { number_of_pages: 1 },
    { number_of_pages: 0 },
  ],
  [
    "additions to a list on both sides",
    { subjects: ["a"] },
    { subjects: ["a", "b"] },
    { subjects: ["a", "c"] },
    { subjects: ["a", "b", "c"] },
  ],
  [
    "an addition at the start",
    { subjects: ["a"] },
    { subjects: ["b", "a"] },
    { subjects: ["a", "c"] },
    { subjects: ["b", "a", "c"] },
  ],
  [
    "an addition after an element that was removed there",
    { subjects: ["a", "b"] },
    { subjects: ["a", "b", "c"] },
    { subjects: ["a", "d"] },
    { subjects: ["a", "c", "d"] },
  ],
  [
    "a removal from a list that grew there",
    { subjects: ["a", "b"] },
    { subjects: ["b"] },
    { subjects: ["a", "b", "c"] },
    { subjects: ["b", "c"] },
  ],
  [
    "a removal of the last element",
    { subjects: ["a"] },
    { subjects: [] },
    { subjects: ["a"] },
    { subjects: null },
  ],
  ["no element that both removed", { subjects: ["a", "b"] }, { subjects: ["b"] }, { subjects: ["b"] }, {}],
  [
    "a list that has all additions there",
    { subjects: ["a"] },
    { subjects: ["a", "b"] },
    { subjects: ["a", "c", "b"] },
    {},
  ],
  [
    "an element that differs in case there as known",
    { subjects: ["a"] },
    { subjects: ["a", "Love"] },
    { subjects: ["a", "love"] },
    {},
  ],
  [
    "a correction of the case of an element",
    { subjects: ["love", "a"] },
    { subjects: ["Love", "a"] },
    { subjects: ["love", "a", "b"] },
    { subjects: ["Love", "a", "b"] },
  ],
  [
    "a new order",
    { subjects: ["a", "b"] },
    { subjects: ["b", "a"] },
    { subjects: ["a", "b"] },
    { subjects: ["b", "a"] },
  ],
  [
    "a new order of a list that was changed there",
    { subjects: ["a", "b"] },
    { subjects: ["b", "a"] },
    { subjects: ["a", "b", "c"] },
    {},
    ["subjects"],
  ],
  [
    "an element that both replaced",
    { isbn_13: ["a"] },
    { isbn_13: ["b"] },
    { isbn_13: ["c"] },
    {},
    ["isbn_13"],
  ],
  ["a first list", {}, { subjects: ["b"] }, { subjects: ["c"] }, { subjects: ["b", "c"] }],
  [
    "authors by their keys",
    { authors: [author("OL1A")] },
    { authors: [author("OL1A"), author("OL2A")] },
    { authors: [role("OL1A"), role("OL3A")] },
    { authors: [role("OL1A"), author("OL2A"), role("OL3A")] },
  ],
  [
    "the type of author roles as insignificant",
    { authors: [author("OL1A")] },
    { authors: [role("OL1A")] },
    {},
    {},
  ],
  [
    "identifiers by kind",
    { identifiers: { goodreads: ["1"] } },
    { identifiers: { goodreads: ["1", "2"] } },
    { identifiers: { goodreads: ["1"], librarything: ["3"] } },
    { identifiers: { goodreads: ["1", "2"], librarything: ["3"] } },
  ],
  [
    "conflicts of one kind of identifiers",
    { remote_ids: { viaf: "1" } },
    { remote_ids: { viaf: "2", isni: "5" } },
    { remote_ids: { viaf: "3" } },
    { remote_ids: { viaf: "3", isni: "5" } },
    ["remote_ids.viaf"],
  ],
  [
    "the removal of the last kind",
    { identifiers: { goodreads: ["1"] } },
    {},
    { identifiers: { goodreads: ["1"] } },
    { identifiers: null },
  ],
  [
    "a table of contents as a whole",
    { table_of_contents: [{ title: "a" }] },
    { table_of_contents: [{ title: "a" }, { title: "b" }] },
    { table_of_contents: [{ title: "a" }, { title: "c" }] },
    {},
    ["table_of_contents"],
  ],
  [
    "references as a whole",
    { works: { key: "/works/OL1W" } },
    { works: { key: "/works/OL2W" } },
    { works: { key: "/works/OL3W" } },
    {},
    ["works"],
  ],
  ["different kinds of values", { notes: "a" }, { notes: ["a"] }, { notes: { b: "c" } }, {}, ["notes"]],
  [
    "no members of the store",
    { revision: 1, key: "/works/OL1W" },
    { revision: 2, key: "/works/OL1W", permission: { key: "/permission/open" }, last_modified: "x" },
    { revision: 3, key: "/works/OL1W" },
    {},
  ],
  [
    "names that objects inherit",
    {},
    { constructor: "b", toString: ["c"] },
    {},
    { constructor: "b", toString: ["c"] },
  ],
];

describe("three-way merge of records", () => {
  it.each(ROWS)("merges %s", (_name, base, ours, theirs, changes, conflicts = []) => {
    const merge = mergeRecords({ base, ours, theirs });
    expect(merge.changes).toEqual(changes);
    expect(merge.members.filter(({ isConflict }) => isConflict).map(({ name }) => name)).toEqual(conflicts);
    const preferred = mergeRecords({ base, ours, theirs }, { prefersOurs: true });
    expect(Object.keys(preferred.changes).length > 0).toBe(merge.members.length > 0);
    // Merging the result again changes nothing more.
    const values = Object.entries({ ...theirs, ...preferred.changes }).filter(([, value]) => value !== null);
    const merged = Object.fromEntries(values);
    expect(mergeRecords({ base, ours, theirs: merged }, { prefersOurs: true }).changes).toEqual({});
  });

  it("sends our value of a conflict if it is preferred", () => {
    const versions = { base: { title: "a" }, ours: { title: "b" }, theirs: { title: "c" } };
    expect(mergeRecords(versions, { prefersOurs: true })).toEqual({
      changes: { title: "b" },
      members: [{ name: "title", ours: "b", theirs: "c", isConflict: true }],
    });
  });
});
