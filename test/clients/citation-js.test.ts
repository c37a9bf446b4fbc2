// npm: @citation-js/core with @citation-js/plugin-isbn, which asks Google first, then Open Library's
// /api/books?jscmd=data; its synchronous form does so in a child process.
import { Cite } from "@citation-js/core";
import "@citation-js/plugin-isbn";
import { afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { reroute, reroutedEnvironment } from "../support/node/reroute.ts";

const carrel = inject("carrel");

beforeAll(() => reroute(carrel));
afterEach(() => vi.unstubAllEnvs());

describe("Cite.async", () => {
  it("makes a CSL entry of a book", async () => {
    const { data } = await Cite.async("9780141439518");
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      type: "book",
      title: "Pride and Prejudice",
      author: [{ given: "Jane", family: "Austen" }],
      ISBN: "9780141439518",
      "number-of-pages": 435,
      publisher: "Penguin Classics",
      "publisher-place": "London",
      issued: { raw: "December 31, 2002" },
      keyword: "In library,Courtship,Fiction, romance,England,Elizabeth Bennet,19th century",
      URL: `${carrel.main}/books/OL1M/Pride_and_Prejudice`,
    });
  });

  it("takes the ISBN as number, as DOI and with hyphens", async () => {
    const cites = await Promise.all(
      [9780141439471, "10.978.014143/9471", "978-0-14-143947-1", "0141439475"].map((id) => Cite.async(id)),
    );
    expect(cites.map(({ data }) => data[0]?.title)).toEqual(Array(4).fill("Frankenstein"));
  });

  it("takes several", async () => {
    const { data } = await Cite.async(["9782070413119", "9788420412146"]);
    expect(data.map(({ title, author }) => [title, author[0]?.family])).toEqual([
      ["Madame Bovary", "Flaubert"],
      ["Don Quijote de la Mancha", "Cervantes Saavedra"],
    ]);
  });

  it("takes the author of the work where the edition has none", async () => {
    const { data } = await Cite.async("9780141439587");
    expect(data[0]).toMatchObject({
      title: "Emma",
      author: [{ given: "Jane", family: "Austen" }],
      issued: { "date-parts": [[2003]] },
    });
  });

  it("fails for an unknown ISBN", async () => {
    await expect(Cite.async("9780000000002")).rejects.toThrow("Cannot find resource for ISBN: 9780000000002");
  });
});

describe("new Cite", () => {
  it("does the same without a promise", () => {
    for (const [name, value] of Object.entries(reroutedEnvironment(carrel))) vi.stubEnv(name, value);
    const [entry] = new Cite("9780142437247").data;
    expect(entry).toMatchObject({ title: "Moby-Dick", author: [{ given: "Herman", family: "Melville" }] });
    expect(() => new Cite("9780000000002")).toThrow("Cannot find resource for ISBN: 9780000000002");
  });
});
