// npm: mcp-open-library, an MCP server for language models, as a child process. It looks books up with the
// Read API (/api/volumes/brief), authors as records, and asks the cover store whether it has an image.
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { McpServer, type ToolResult } from "../support/node/mcp.ts";
import { reroutedEnvironment } from "../support/node/reroute.ts";

const carrel = inject("carrel");
const script = createRequire(import.meta.url).resolve("mcp-open-library/build/index.js");
const server = new McpServer(script, reroutedEnvironment(carrel));

beforeAll(async () => {
  expect(await server.initialize()).toMatchObject({ serverInfo: { name: "mcp-open-library" } });
});
afterAll(() => server.close());

const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join("");
const failure = (text: string) => ({ content: [{ type: "text", text }], isError: true });

async function found(tool: string, args: Record<string, unknown>): Promise<unknown> {
  const result = await server.callTool(tool, args);
  expect(result.isError, textOf(result)).toBeUndefined();
  return JSON.parse(textOf(result));
}

it("offers its tools", async () => {
  const { tools } = (await server.request("tools/list")) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["get_book_by_id", "get_author_info", "get_author_photo", "get_book_cover"]),
  );
});

describe("get_book_by_id", () => {
  const pride = {
    title: "Pride and Prejudice",
    authors: ["Jane Austen"],
    publishers: ["Penguin Classics"],
    publish_date: "December 31, 2002",
    number_of_pages: 435,
    isbn_13: ["9780141439518"],
    isbn_10: ["0141439513"],
    lccn: ["2003-55604"],
    oclc: ["51109862"],
    olid: ["OL1M"],
    open_library_edition_key: "/books/OL1M",
    open_library_work_key: "/works/OL1W",
    cover_url: `${carrel.covers}/b/id/11-M.jpg`,
    info_url: `${carrel.main}/books/OL1M/Pride_and_Prejudice`,
    preview_url: `${carrel.main}/books/OL1M/Pride_and_Prejudice`,
  };

  it.each([
    ["isbn", "9780141439518"],
    ["isbn", "0-14-143951-3"],
    ["lccn", "2003055604"],
    ["oclc", "51109862"],
    ["olid", "OL1M"],
    ["olid", "OL11M"],
  ])("finds a book by its %s %s", async (idType, idValue) => {
    expect(await found("get_book_by_id", { idType, idValue })).toEqual(pride);
  });

  it("gives the scan of a scanned book to look into", async () => {
    expect(await found("get_book_by_id", { idType: "OLID", idValue: "OL2M" })).toMatchObject({
      title: "Pride and prejudice",
      subtitle: "a novel",
      preview_url: "https://archive.org/details/prideprejudice00aust",
    });
  });

  it("gives no cover address for a cover that is none", async () => {
    const book = await found("get_book_by_id", { idType: "oclc", idValue: "51053994" });
    expect(book).toMatchObject({ title: "Frankenstein", open_library_edition_key: "/books/OL5M" });
    expect(book).not.toHaveProperty("cover_url");
  });

  it.each([
    ["isbn", "9780000000002"],
    ["olid", "OL999M"],
    ["olid", "OL12M"],
  ])("says that there is no book with the %s %s", async (idType, idValue) => {
    const result = await server.callTool("get_book_by_id", { idType, idValue });
    expect(result).toEqual(failure(`No book found for ${idType}: ${idValue}`));
  });
});

describe("get_author_info", () => {
  it("gives an author", async () => {
    expect(await found("get_author_info", { author_key: "OL1A" })).toMatchObject({
      key: "/authors/OL1A",
      name: "Jane Austen",
      personal_name: "Austen, Jane",
      birth_date: "16 December 1775",
      bio: "English novelist of the landed gentry.",
      remote_ids: { wikidata: "Q36322" },
    });
  });

  it("says that there is no such author", async () => {
    const result = await server.callTool("get_author_info", { author_key: "OL999A" });
    expect(result).toEqual(failure('Author with key "OL999A" not found.'));
  });
});

describe("get_book_cover and get_author_photo", () => {
  it("say that there is no image", async () => {
    const cover = await server.callTool("get_book_cover", { key: "ID", value: "99" });
    expect(cover.content).toEqual([{ type: "text", text: "No cover image available for ID 99." }]);
    const photo = await server.callTool("get_author_photo", { olid: "OL2A" });
    expect(photo.content).toEqual([{ type: "text", text: "No author photo available for OLID OL2A." }]);
  });
});
