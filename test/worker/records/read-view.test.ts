import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { author, edition, editionKey, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

const CONTENTS = [
  "Preface",
  { type: "/type/text", value: "Chapter one" },
  { type: { key: "/type/toc_item" }, class: "section", level: "2", label: "1", title: "In", pagenum: 9 },
  {
    level: 1,
    label: "",
    title: "Out",
    pagenum: "10",
    authors: [{ name: "A" }],
    subtitle: "s",
    description: "d",
  },
  { level: 0, label: "", title: "", pagenum: "" },
  "",
  {},
  { level: "x", title: "Odd" },
];
const CONTENTS_READ = [
  { level: 0, label: "", title: "Preface", pagenum: "" },
  { level: 0, label: "", title: "Chapter one", pagenum: "" },
  { level: 2, label: "1", title: "In", pagenum: "9" },
  {
    level: 1,
    label: "",
    title: "Out",
    pagenum: "10",
    authors: [{ name: "A" }],
    subtitle: "s",
    description: "d",
  },
  { level: 0, label: "", title: "Odd", pagenum: "" },
];

beforeAll(async () => {
  await service.load(
    edition(1, {
      work: 1,
      title: "Hobbits",
      title_prefix: "The",
      table_of_contents: CONTENTS,
      authors: [{ key: "/a/OL1A" }],
      languages: [{ key: "/l/eng" }],
      covers: [-1, null, 7],
      description: "a bare string",
    }),
    author(1),
    work(1, {
      authors: [1],
      cover_edition: { key: "/b/OL1M" },
      excerpts: [{ excerpt: "x", author: { key: "/user/jane" } }],
    }),
    {
      ...work(2),
      authors: [
        { type: "/type/author_role" },
        { type: { key: "/type/author_role" }, author: { key: "/authors/OL1A" } },
        { role: "editor", author: null },
        "nobody",
      ],
    },
    edition(2, { revision: 1, title: "B", title_prefix: "A" }),
    edition(2, { revision: 2, title: "A B" }),
  );
});

const EXPECTED = {
  title: "The Hobbits",
  table_of_contents: CONTENTS_READ,
  authors: [{ key: "/authors/OL1A" }],
  languages: [{ key: "/languages/eng" }],
  covers: [-1, null, 7],
  description: "a bare string",
};

describe("a stored edition with old forms", () => {
  const readings: [string, () => Promise<unknown>][] = [
    [".json", () => service.json("/books/OL1M.json")],
    [".yml", async () => parse(await (await service.fetch("/books/OL1M.yml")).text())],
    ["?v=1", () => service.json("/books/OL1M.json?v=1")],
    ["editions.json", () => service.json("/works/OL1W/editions.json").then(first("entries"))],
    ["api/get", () => service.json("/api/get?key=/books/OL1M").then(member("result"))],
    ["api/get_many", () => getMany().then(member(editionKey(1)))],
    ["query", () => service.json('/query.json?query={"key":"/books/OL1M","*":null}').then(first())],
    ["details", () => service.json("/api/books.json?bibkeys=OL1M&jscmd=details").then(details)],
  ];

  it.each(readings)("is normalized by %s", async (name, read) => {
    const record = await read();
    const named = [{ key: "/authors/OL1A", name: "Author 1" }];
    expect(record).toMatchObject(name === "details" ? { ...EXPECTED, authors: named } : EXPECTED);
    expect(record).not.toHaveProperty("title_prefix");
  });

  const getMany = async () => member("result")(await service.json('/api/get_many?keys=["/books/OL1M"]'));
});

it("old keys are rewritten in every member", async () => {
  expect(await service.json("/works/OL1W.json")).toMatchObject({
    cover_edition: { key: "/books/OL1M" },
    excerpts: [{ excerpt: "x", author: { key: "/people/jane" } }],
  });
});

it("author roles without an author are dropped", async () => {
  expect(await service.json("/works/OL2W.json")).toMatchObject({
    authors: [{ type: { key: "/type/author_role" }, author: { key: "/authors/OL1A" } }],
  });
});

it("an older revision is normalized by itself", async () => {
  expect(await service.json("/books/OL2M.json?v=1")).toMatchObject({ title: "A B", revision: 1 });
  expect(await service.json("/books/OL2M.json?v=1")).not.toHaveProperty("title_prefix");
  expect(await service.json("/books/OL2M.json")).toMatchObject({ title: "A B", revision: 2 });
});

function member(name: string): (value: unknown) => unknown {
  return (value) => Object(value)[name];
}

function first(name?: string): (value: unknown) => unknown {
  return (value) => member("0")(name === undefined ? value : member(name)(value));
}

function details(value: unknown): unknown {
  return member("details")(member("OL1M")(value));
}
