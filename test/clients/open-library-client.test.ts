// npm: open-library-client, with its own option for the base URL.
import { OpenLibraryClient } from "open-library-client";
import { describe, expect, inject, it } from "vitest";

const carrel = inject("carrel");
const client = new OpenLibraryClient({ baseURL: carrel.main });

describe("getWork", () => {
  it("gives the work as it is stored", async () => {
    const { status, data } = await client.getWork("OL1W");
    expect(status).toBe(200);
    expect(data).toMatchObject({
      key: "/works/OL1W",
      type: { key: "/type/work" },
      title: "Pride and Prejudice",
      authors: [{ type: { key: "/type/author_role" }, author: { key: "/authors/OL1A" } }],
      description: { type: "/type/text", value: "Elizabeth Bennet meets Mr Darcy." },
      first_publish_date: "1813",
      subject_people: ["Elizabeth Bennet"],
      links: [{ title: "Text", url: "https://www.gutenberg.org/ebooks/1342", type: { key: "/type/link" } }],
      latest_revision: 1,
      revision: 1,
      created: { type: "/type/datetime", value: "2026-11-01T00:00:00.000000" },
      last_modified: { type: "/type/datetime", value: "2026-11-02T08:30:00.500000" },
    });
  });

  it("takes a whole key, and a description that is a plain string", async () => {
    const { data } = await client.getWork("/works/OL6W");
    expect(data.description).toBe("A student makes a creature.");
  });

  it("gets a redirect as a record", async () => {
    const { data } = await client.getWork("OL12W");
    expect(data).toMatchObject({ type: { key: "/type/redirect" }, location: "/works/OL6W" });
  });

  it("makes the error of a missing work from its answer", async () => {
    await expect(client.getWork("OL999W")).rejects.toEqual({
      error: "notfound",
      message: "Request failed with status code 404",
      status: 404,
    });
  });
});

describe("getEdition", () => {
  it("gives the edition as it is stored", async () => {
    const { data } = await client.getEdition("OL1M");
    expect(data).toMatchObject({
      key: "/books/OL1M",
      title: "Pride and Prejudice",
      works: [{ key: "/works/OL1W" }],
      authors: [{ key: "/authors/OL1A" }],
      publishers: ["Penguin Classics"],
      publish_date: "December 31, 2002",
      number_of_pages: 435,
      isbn_10: ["0141439513"],
      isbn_13: ["9780141439518"],
      languages: [{ key: "/languages/eng" }],
    });
  });

  it("gets what is left of a deleted edition", async () => {
    const { data } = await client.getEdition("OL12M");
    expect(data.type).toEqual({ key: "/type/delete" });
    expect(data).not.toHaveProperty("title");
  });

  it("makes the error of a missing edition", async () => {
    await expect(client.getEdition("OL999M")).rejects.toMatchObject({ error: "notfound", status: 404 });
  });
});

describe("getBookByISBN", () => {
  it.each([
    ["ISBN-13", "9780141439518", "/books/OL1M"],
    ["ISBN-10 with hyphens", "0-14-143951-3", "/books/OL1M"],
    ["ISBN-10 of an edition that has only the ISBN-13", "0141439580", "/books/OL4M"],
    ["ISBN-13 of an edition that has only the ISBN-10", "9780141439846", "/books/OL7M"],
    ["ISBN that is stored with hyphens", "9780141439662", "/books/OL3M"],
  ])("follows the redirect of an %s", async (_what, isbn, key) => {
    const { status, data } = await client.getBookByISBN(isbn);
    expect(status).toBe(200);
    expect(data.key).toBe(key);
  });

  it("makes the error of an unknown ISBN", async () => {
    await expect(client.getBookByISBN("9780000000002")).rejects.toMatchObject({
      error: "notfound",
      status: 404,
    });
  });
});
