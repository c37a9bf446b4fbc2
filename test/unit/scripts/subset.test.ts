import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FLAG } from "../../../scripts/lib/key-spaces.ts";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { type Choice, WorkChoice } from "../../../scripts/lib/subset-choice.ts";
import { SubsetRecords } from "../../../scripts/lib/subset-records.ts";
import { testServer } from "../../support/node/test-server.ts";

type Members = Record<string, unknown>;

const FOLDERS: Record<string, [folder: string, type: string]> = {
  W: ["/works/", "work"],
  M: ["/books/", "edition"],
  A: ["/authors/", "author"],
  L: ["/series/", "series"],
  T: ["/tags/", "tag"],
};
const keyOf = (olid: string) => (FOLDERS[olid.at(-1) ?? ""]?.[0] ?? "") + olid;
const to = (olid: string) => ({ key: keyOf(olid) });
const language = (code: string) => ({ key: `/languages/${code}` });

/** Line of a record by its number; the type may be another one. */
function line(
  olid: string,
  members: Members = {},
  { type = FOLDERS[olid.at(-1) ?? ""]?.[1], revision = 1 } = {},
) {
  const key = olid.startsWith("/") ? olid : keyOf(olid);
  const json = JSON.stringify({ key, type: { key: `/type/${type}` }, ...members });
  return [`/type/${type}`, key, revision, "2026-11-01T00:00:00.000000", json].join("\t");
}
const redirect = (from: string, target: string, revision = 2) =>
  line(from, { location: keyOf(target) }, { type: "redirect", revision });
const work = (olid: string, authors: string[], members: Members = {}) =>
  line(olid, {
    title: olid,
    authors: authors.map((author) => ({ author: to(author), role: "a" })),
    ...members,
  });
const edition = (olid: string, works: string[], code: string, members: Members = {}) =>
  line(olid, { works: works.map(to), languages: [language(code)], ...members });

const LIST = "/people/ann/lists/OL1L";
const OTHER_LIST = "/lists/OL2L";
const DUMP = [
  edition("OL1M", ["OL1W"], "eng", { covers: [12, -1] }),
  edition("OL2M", ["OL1W"], "ger", { authors: [to("OL3A")] }),
  edition("OL3M", ["OL5W"], "fre"),
  edition("OL4M", ["OL3W", "OL1W"], "spa"),
  edition("OL5M", ["OL4W"], "eng"),
  edition("OL6M", ["OL99W"], "eng"),
  edition("OL7M", ["XX8W"], "zzz", { covers: [11] }),
  line("OL9M", {}, { type: "delete", revision: 3 }),
  work("OL1W", ["OL1A"], { subjects: ["Romance / Love"], covers: [12] }),
  work("OL2W", ["OL2A", "OL1A"], { subject_places: ["London, England"], cover_edition: to("OL3M") }),
  work("OL3W", ["OL9A"], { series: [{ series: to("OL1L"), position: "1" }], genres: [to("OL1T")] }),
  line("OL4W", {}, { type: "delete", revision: 2 }),
  redirect("OL5W", "OL2W"),
  redirect("OL7W", "OL5W"),
  redirect("OL8W", "OL4W"),
  work("XX8W", ["OL4A"], { subject_people: ["Ann"], subject_times: ["1900"], cover_edition: to("OL9M") }),
  line("OL1A", { name: "One", photos: [3] }),
  redirect("OL2A", "OL1A"),
  line("OL3A", { name: "Three" }),
  line("OL4A", { name: "Four" }),
  line("OL5A", { name: "In no book" }),
  line("OL1L", { name: "Series" }),
  line("OL1T", { name: "Tag", genre: [to("OL2T")] }),
  line(
    LIST,
    { seeds: [to("OL1M"), "place:london_england", { thing: to("OL5A"), notes: "n" }] },
    { type: "list" },
  ),
  line(
    OTHER_LIST,
    { seeds: [to("OL4A"), to("OL7W"), "subject:romance_/_love"] },
    { type: "list", revision: 2 },
  ),
  line("/languages/zzz", { name: "Not in every catalog" }, { type: "language" }),
];
const LANGUAGES = new Set(["eng", "ger", "fre", "spa"].map((code) => `/languages/${code}`));
const NOTHING: Choice = { languages: [], subjects: [], lists: [], top: undefined, onlyLanguages: false };

/** Makes a subset of lines, in the four passes of the command. */
function subsetOf(lines: string[], choice: Partial<Choice>) {
  const works = new WorkChoice({ ...NOTHING, ...choice });
  const records = new SubsetRecords(works, LANGUAGES);
  const texts = lines.map((text) => Buffer.from(text));
  const pass = <Result>(take: (text: Buffer) => Result) => {
    for (const space of works.spaces) space.clear(FLAG.done);
    return texts.map(take).filter((result) => result !== undefined);
  };
  const rejected = pass((text) => works.scan(text, []));
  const missing = works.missingLists();
  works.readLists();
  pass((text) => works.rate(text));
  works.chooseWorks();
  const editions = pass((text) => records.takeEdition(text));
  const written = [...editions, ...pass((text) => records.takeOther(text)), ...records.takeLists()];
  const documents = new Map<string, Members>(
    written.map((text) => [text.split("\t")[1] ?? "", JSON.parse(text.split("\t")[4] ?? "")]),
  );
  return { documents, written, rejected, missing, records, works };
}

const olidsOf = ({ documents }: ReturnType<typeof subsetOf>) =>
  [...documents.keys()]
    .map((key) => key.split("/").at(-1))
    .toSorted()
    .join(" ");

describe("choice of a subset", () => {
  it.each<[string, Partial<Choice>, string]>([
    ["a language", { languages: ["ger"] }, "OL1A OL1M OL1W OL2A OL2M OL3A OL4M"],
    [
      "one of two languages",
      { languages: ["ger", "fre"] },
      "OL1A OL1M OL1W OL2A OL2M OL2W OL3A OL3M OL4M OL5W OL7W",
    ],
    [
      "a language, and editions in it only",
      { languages: ["ger"], onlyLanguages: true },
      "OL1A OL1W OL2A OL2M OL3A",
    ],
    ["a subject", { subjects: ["romance__love"] }, "OL1A OL1M OL1W OL2A OL2M OL3A OL4M"],
    ["a place", { subjects: ["place:london_england"] }, "OL1A OL2A OL2W OL3M OL5W OL7W"],
    ["a person or a time", { subjects: ["/subjects/person:ann", "time:1900"] }, "OL4A OL7M XX8W"],
    ["a subject of another kind", { subjects: ["london_england"] }, ""],
    ["a language and a subject", { languages: ["eng"], subjects: ["place:london_england"] }, ""],
    [
      "a list of an edition and a subject",
      { lists: [LIST] },
      "OL1A OL1L OL1M OL1W OL2A OL2M OL2W OL3A OL3M OL4M OL5W OL7W",
    ],
    ["a list and a language", { lists: [LIST], languages: ["fre"] }, "OL1A OL1L OL2A OL2W OL3M OL5W OL7W"],
    [
      "a list of an author, a merged work and a subject",
      { lists: [OTHER_LIST] },
      "OL1A OL1M OL1W OL2A OL2L OL2M OL2W OL3A OL3M OL4A OL4M OL5W OL7M OL7W XX8W",
    ],
    [
      "the works with most editions among those of a language",
      { languages: ["spa"], top: 1 },
      "OL1A OL1M OL1W OL2A OL2M OL3A OL4M",
    ],
    ["the works with most editions", { top: 1 }, "OL1A OL1M OL1W OL2A OL2M OL3A OL4M"],
    [
      "the lowest of equally many editions",
      { top: 2 },
      "OL1A OL1M OL1W OL2A OL2M OL2W OL3A OL3M OL4M OL5W OL7W",
    ],
    [
      "more works than there are",
      { top: 9 },
      "OL1A OL1L OL1M OL1T OL1W OL2A OL2M OL2W OL3A OL3M OL3W OL4A OL4M OL5W OL7M OL7W XX8W",
    ],
  ])("takes %s", (_name, choice, expected) => {
    const subset = subsetOf(DUMP, choice);
    expect(olidsOf(subset)).toBe(expected);
    expect(olidsOf(subsetOf(DUMP.toReversed(), choice))).toBe(expected);
    expect(subset.rejected).toEqual([]);
    const known = new Set([...subset.documents.keys(), ...LANGUAGES]);
    const references = subset.written.flatMap((text) => [...text.matchAll(/"(?:key|location)":"([^"]+)"/g)]);
    const dangling = references
      .map(([, key = ""]) => key)
      .filter((key) => !key.startsWith("/type/") && !known.has(key));
    expect(dangling).toEqual([]);
  });

  it("names the lists that the dumps do not have, and deleted ones", () => {
    const gone = line(LIST, {}, { type: "delete", revision: 2 });
    expect(subsetOf([...DUMP, gone], { lists: [LIST, "/lists/OL9L", OTHER_LIST] }).missing).toEqual([
      LIST,
      "/lists/OL9L",
    ]);
  });
});

describe("records of a subset", () => {
  const { documents, records, works } = subsetOf(DUMP, { top: 9, lists: [] });
  const authorOf = (olid: string) => [{ author: to(olid), role: "a" }];

  it.each<[string, string, unknown]>([
    ["merges authors", "OL2W.authors", authorOf("OL1A")],
    ["keeps the edition of a cover", "OL2W.cover_edition", to("OL3M")],
    ["leads from a merged work to its target", "OL3M.works", [to("OL2W")]],
    ["has no missing author", "OL3W.authors", undefined],
    ["has its place in a series", "OL3W.series", [{ series: to("OL1L"), position: "1" }]],
    ["has its tag", "OL3W.genres", [to("OL1T")]],
    ["has no tag that only a tag names", "OL1T.genre", undefined],
    ["has no language that other catalogs lack", "OL7M.languages", undefined],
    ["has no deleted edition", "XX8W.cover_edition", undefined],
  ])("%s: %s", (_name, place, expected) => {
    const [olid = "", member = ""] = place.split(".");
    const document = [...documents].find(([key]) => key.endsWith(`/${olid}`))?.[1];
    expect(document?.["key"]).toBe(keyOf(olid));
    expect(document?.[member]).toEqual(expected);
  });

  it("counts what is removed, and editions without a work", () => {
    expect(records.counts.removed).toEqual({ authors: 1, books: 1, languages: 1, tags: 1 });
    expect(works.orphans).toBe(2);
    expect(subsetOf(DUMP, { lists: [LIST] }).documents.get(LIST)?.["seeds"]).toEqual([
      to("OL1M"),
      "place:london_england",
    ]);
  });

  it("lists covers and photos once, in order", () => {
    expect([...records.covers.numbers(FLAG.chosen)]).toEqual([3, 11, 12]);
  });

  it("leaves unchanged lines as they are", () => {
    const spaced = line("OL1W", { title: "T" }).replace('"title"', ' "title"');
    expect(subsetOf([spaced], { top: 1 }).written).toEqual([`${spaced}\n`]);
  });

  it("reads keys with escaped slashes", () => {
    const lines = DUMP.map((text) =>
      text.replaceAll(':"/', String.raw`:"\/`).replaceAll("s/OL", String.raw`s\/OL`),
    );
    const escaped = lines.map((text, at) =>
      [...(DUMP[at] ?? "").split("\t").slice(0, 4), text.split("\t")[4]].join("\t"),
    );
    expect(olidsOf(subsetOf(escaped, { languages: ["ger"] }))).toBe(
      olidsOf(subsetOf(DUMP, { languages: ["ger"] })),
    );
    expect(escaped[0]).toContain(String.raw`"\/works\/OL1W"`);
  });

  it.each<[string, string[], string]>([
    [
      "the latest revision",
      [
        line("OL1W", { n: 1 }),
        line("OL1W", { n: 2 }, { revision: 300 }),
        line("OL1W", { n: 3 }, { revision: 299 }),
      ],
      "2",
    ],
    ["one of two equal lines", [line("OL1W", { n: 1 }), line("OL1W", { n: 1 })], "1"],
    ["no deleted record", [line("OL1W", {}, { type: "delete", revision: 2 }), line("OL1W")], ""],
    ["no merged record", [redirect("OL1W", "OL2W"), line("OL1W")], ""],
    [
      "a record that was merged and restored",
      [redirect("OL1W", "OL2W"), line("OL1W", { n: 4 }, { revision: 3 })],
      "4",
    ],
    ["large numbers", [line("OL123456789012345W", { n: 5 })], "5"],
    ["a valid line beside a damaged one", [line("OL1W").slice(0, -1), line("OL1W", { n: 6 })], "6"],
  ])("has %s", (_name, lines, expected) => {
    for (const order of [lines, lines.toReversed()]) {
      const { documents: found } = subsetOf(order, { top: 9 });
      expect([...found.values()].map(({ n }) => n).join(" ")).toBe(expected);
    }
  });

  it("follows a redirect to its latest target, of any number", () => {
    const far = "OL99999999999W";
    const lines = [redirect("OL1W", "OL2W"), redirect("OL1W", far, 3), redirect("OL3W", far), work(far, [])];
    expect(olidsOf(subsetOf([...lines, edition("OL1M", ["OL1W"], "eng")], { languages: ["eng"] }))).toBe(
      `OL1M OL1W OL3W ${far}`,
    );
  });

  it.each([
    ["columns", "a\tb", /five columns|columns/],
    ["JSON", line("OL1W").slice(0, -1), /JSON/],
    ["the key", line("/works/OL01W", {}, { type: "work" }), /with the key/],
    ["UTF-8", Buffer.concat([Buffer.from(line("OL1W")), Buffer.of(0xff)]), /UTF-8/],
    ["length", undefined, /longer than/],
  ])("has no line with damaged %s", (_name, text, reason) => {
    const choice = new WorkChoice(NOTHING);
    expect(choice.scan(text === undefined ? undefined : Buffer.from(text), [])).toMatch(reason);
  });
});

describe("npm run subset", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "carrel-subset-test-"));
  const [editions, others] = ["editions.txt.gz", "others.txt"];
  writeFileSync(path.join(folder, editions), gzipSync(DUMP.slice(0, 8).join("\n")));
  writeFileSync(path.join(folder, others), ["damaged", ...DUMP.slice(6)].join("\n"));
  const server = testServer();

  /** Runs the command. `killAt` is the beginning of a printed line after which it is killed. */
  async function run(args: string[], { killAt = "", node = [] as string[] } = {}) {
    const hook = `const { log } = console; console.log = (text) => { log(text); if (text.startsWith("${killAt}")) process.kill(process.pid, "SIGKILL"); };`;
    const kills = killAt === "" ? [] : ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
    const child = spawn(
      process.execPath,
      [...node, ...kills, path.join(ROOT, "scripts/subset.ts"), ...args],
      { cwd: folder },
    );
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += String(data)));
    const [code, signal] = await once(child, "close");
    return { code, signal, printed };
  }
  const read = (name: string) => readFileSync(path.join(folder, name));

  it("writes the same bytes however often it is killed, and repeats no pass", async () => {
    const from = ["--from", editions, others, "--lists", LIST, "--covers", "covers.txt", "--no-load"];
    expect(await run([...from, "--to", "whole.txt.gz"])).toMatchObject({ code: 0 });
    expect(gunzipSync(read("whole.txt.gz")).toString().trimEnd().split("\n")).toHaveLength(12);
    expect(read("covers.txt").toString()).toBe("3\n12\n");
    expect(read("others.txt.rejects.tsv").toString()).toMatch(/^1\t/);
    const again = [...from, "--to", "again.txt.gz"];
    for (const pass of [1, 2, 3, 4]) {
      const { signal, printed } = await run(again, { killAt: `${pass}/4` });
      expect(signal).toBe("SIGKILL");
      if (pass > 1) expect(printed).toMatch(`going on after pass ${pass - 1}`);
      expect(printed).not.toMatch(`${pass - 1}/4`);
      // A pass that was killed while it wrote leaves more than its state says.
      if (pass === 3) appendFileSync(path.join(folder, "again.txt.gz.part"), "incomplete");
    }
    expect(await run(again)).toMatchObject({ code: 0 });
    expect(read("again.txt.gz").equals(read("whole.txt.gz"))).toBe(true);
  });

  it("loads the new dump, and goes on with the load after a failure", async () => {
    const sent: string[] = [];
    let status = 200;
    server.answer = ({ url, body }) => {
      if (url.startsWith("/changes.json")) return { body: { cursor: 0, end: 0, changes: [] } };
      if (!url.startsWith("/system/load")) return { status: 404, body: "" };
      if (status === 200) sent.push(...body.trimEnd().split("\n"));
      const counts = { created: sent.length, updated: 0, unchanged: 0, kept: 0 };
      return { status, body: { changes: [], time: "", ...counts, rejected: [] } };
    };
    const target = ["--url", server.url, "--token", "t", "--no-index"];
    const args = ["--from", editions, others, "--subjects", "person:ann", "--to", "loaded.txt", ...target];
    status = 403;
    expect(await run(args)).toMatchObject({ code: 1, printed: expect.stringContaining("answered 403") });
    status = 200;
    const { code, printed } = await run(args);
    expect(code).toBe(0);
    expect(printed).toMatch("going on after pass 4");
    expect(printed).toMatch("3 records created");
    expect(sent.join("\n")).toBe(read("loaded.txt").toString().trimEnd());
  });

  it.each([
    [["--from", editions], "Choose works by"],
    [["--top", "1"], "Name a dump"],
    [["--from", editions, "absent.txt", "--top", "1"], "absent.txt: there is no such file."],
    [["--from", editions, "--top", "0"], "--top must be"],
    [["--from", editions, "--languages", "eng,qqq"], "There is no language qqq."],
    [["--from", editions, "--only-languages", "--top", "1"], "--only-languages needs --languages."],
    [
      ["--from", editions, others, "--lists", "/lists/OL9L", "--no-load"],
      "do not have the list /lists/OL9L.",
    ],
    [["--from", editions, others, "--subjects", "hate", "--no-load"], "No work of these dumps fits."],
  ])("refuses %j", async (args, message) => {
    const { code, printed } = await run([...args, "--to", "refused.txt"]);
    expect(printed).toMatch(message);
    expect(code).toBe(1);
    expect(() => read("refused.txt")).toThrow("ENOENT");
  });

  it("needs little memory for 200,000 lines", async () => {
    const file = path.join(folder, "large.txt");
    rmSync(file, { force: true });
    const text = "x".repeat(200);
    for (let first = 1; first <= 100_000; first += 1000) {
      const numbers = Array.from({ length: 1000 }, (_, at) => first + at);
      const lines = numbers.flatMap((number) => [
        edition(`OL${number}M`, [`OL${number}W`], number % 2 === 0 ? "eng" : "ger", { text }),
        line(`OL${number}W`, { text }),
      ]);
      appendFileSync(file, `${lines.join("\n")}\n`);
    }
    const args = ["--from", "large.txt", "--languages", "eng", "--to", "small.txt", "--no-load"];
    expect(await run(args, { node: ["--max-old-space-size=64"] })).toMatchObject({
      code: 0,
      printed: expect.stringContaining("small.txt: edition 50000, work 50000"),
    });
  });
});
