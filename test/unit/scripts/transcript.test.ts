import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import type { Operation } from "../../../scripts/lib/operations.ts";
import { differences, linesOf, shortened } from "../../../scripts/transcript/compare.ts";
import type { World } from "../../../scripts/transcript/lines.ts";
import { requestsOf } from "../../../scripts/transcript/requests.ts";
import { changesOf } from "../../../scripts/transcript/stores.ts";

const outcome = {
  status: 200,
  headers: { "cache-control": "public, max-age=60", vary: "Accept", "content-type": "application/json" },
  body: Buffer.from('{"key":"/works/OL1W","revision":1}'),
  notes: ['INDEX: [[{"change":18}],{}]'],
  changes: ['+ D1DatabaseObject/a36f84ea property {"name":"name"}'],
};
const compare = (change: Partial<typeof outcome> | { headers: object }) =>
  differences(linesOf(outcome), linesOf({ ...outcome, ...change } as typeof outcome));

describe("the comparison of two outcomes", () => {
  it("finds nothing in equal ones", () => {
    expect(compare({})).toEqual([]);
  });

  it.each([
    ["a status", { status: 404 }, ["- status 200", "+ status 404"]],
    [
      "the value of a header",
      { headers: { ...outcome.headers, "cache-control": "no-store" } },
      ["- cache-control: public, max-age=60", "+ cache-control: no-store"],
    ],
    [
      "a lost header",
      { headers: { "cache-control": "public, max-age=60", "content-type": "application/json" } },
      ["- vary: Accept"],
    ],
    [
      "one call more",
      { headers: { ...outcome.headers, "x-carrel-calls": "sequence=2 catalog=2" } },
      ["+ x-carrel-calls: sequence=2 catalog=2"],
    ],
    ["a lost member", { body: Buffer.from('{"key":"/works/OL1W"}') }, [/-.*"revision": 1/]],
    ["a lost message", { notes: [] }, ['- INDEX: [[{"change":18}],{}]']],
    ["a lost row", { changes: [] }, ['- + D1DatabaseObject/a36f84ea property {"name":"name"}']],
  ])("finds %s", (_name, change, lines) => {
    const found = compare(change);
    for (const line of lines)
      expect(found).toContainEqual(typeof line === "string" ? line : expect.stringMatching(line));
  });

  it("finds lines in another order", () => {
    expect(differences(["a", "b"], ["b", "a"])).toEqual(["- a", "+ b (the order)"]);
  });

  it("ignores ids of requests, bookmarks, and values of cookies, but not their names and attributes", () => {
    const withIds = (id: string, cookie: string) =>
      linesOf({ ...outcome, headers: { "x-request-id": id, "set-cookie": [cookie] } });
    const lines = withIds("c50a5541-06c6-1w", "session=/people/a; Path=/");
    expect(withIds("23d3c420-0fd9-a", "session=/people/b; Path=/")).toEqual(lines);
    expect(withIds("23d3c420-0fd9-a", "session=/people/b; Path=/; HttpOnly")).not.toEqual(lines);
    expect(withIds("23d3c420-0fd9-a", "session=; Path=/")).not.toEqual(lines);
    const bookmark = (change: string) => `0000000${change}-00000192-0000000${change}-${"0".repeat(32)}`;
    expect(linesOf({ ...outcome, notes: [bookmark("0")] }).at(-2)).toBe("<bookmark>");
  });

  it("shows only the part of long lines that differs", () => {
    const row = (end: string) => `${"x".repeat(1000)}${end}${"y".repeat(1000)}`;
    const [base = "", tree = ""] = shortened([`- ${row("base")}`, `+ ${row("tree")}`]);
    expect(base).toContain("xbasey");
    expect(tree).toContain("xtreey");
    expect(base.length).toBeLessThan(600);
  });
});

describe("the changes of stores", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "transcript-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are the rows that a folder has more or less than the world", () => {
    const [world, live] = [path.join(folder, "world"), path.join(folder, "live")];
    const run = (place: string, sql: string) => {
      const database = new DatabaseSync(path.join(place, "store.sqlite"));
      database.exec(sql);
      database.close();
    };
    cpSync(mkdtempSync(path.join(folder, "empty-")), world, { recursive: true });
    run(world, "CREATE TABLE session (id, seen); INSERT INTO session VALUES ('a', 1), ('b', 1)");
    cpSync(world, live, { recursive: true, preserveTimestamps: true });
    const clean = new Map<string, string>();
    expect(changesOf(live, world, clean)).toEqual([]);
    run(live, "UPDATE session SET seen = 2");
    expect(changesOf(live, world, clean)).toEqual([]);
    expect([...clean.keys()]).toEqual(["store.sqlite"]);
    run(
      live,
      "UPDATE session SET id = 'c' WHERE id = 'b'; CREATE TABLE other (n); INSERT INTO other VALUES (1)",
    );
    expect(changesOf(live, world, clean)).toEqual([
      '+ store session {"id":"c"}',
      '- store session {"id":"b"}',
      '+ store other {"n":"1"}',
    ]);
  });
});

describe("the requests of an operation", () => {
  const operation: Operation = {
    id: "createList",
    listener: "main",
    feature: "lists",
    method: "POST",
    path: "/people/{username}/lists.json",
    isAlias: false,
    access: "session",
    query: {},
    form: {},
    json: {
      $ref: "#/$defs/Body",
      $defs: { Body: { type: "object", properties: { name: { type: "string" } } } },
    },
    failures: new Set(),
    declared: {},
  };
  const clients = ["owner", "other", "librarian", "writer", "admin", "anonymous", "operator", "covers"];
  const world = {
    headers: Object.fromEntries(clients.map((client) => [client, { Cookie: client }])),
    names: new Map([["list", "OL7L"]]),
  } as unknown as World;

  it("have a good body of all clients, bad ones of the client that passes, and the examples", () => {
    const requests = requestsOf([operation], [operation], world);
    const bodiesBy = (cookie: string) =>
      requests.filter(({ headers }) => headers["Cookie"] === cookie).map(({ body }) => body?.toString());
    for (const client of ["owner", "other", "admin", "anonymous"])
      expect(bodiesBy(client)).toContain('{"name":"A name"}');
    expect(bodiesBy("owner")).toEqual(expect.arrayContaining(['{"name":null}', "{}", "{"]));
    expect(bodiesBy("other")).not.toContain("{");
    expect(bodiesBy("owner")).toContain('{"name":"To read","seeds":["/works/OL101W"]}');
    expect(new Set(requests.map(({ headers }) => headers["Accept"]?.slice(0, 9)))).toEqual(
      new Set(["applicati", "text/html"]),
    );
  });

  it("fill placeholders and names of the world", () => {
    const read = {
      ...operation,
      id: "readList",
      method: "GET",
      path: "/people/{username}/lists/OL{list_id}L.json",
    };
    const { json: _json, ...withoutBody } = read;
    const targets = requestsOf([withoutBody], [withoutBody], world).map(({ target }) => target);
    expect(targets).toContain("/people/patron/lists/OL7L.json");
    expect(targets).toContain("/people/nobody_here/lists/OL99999999L.json");
  });
});
