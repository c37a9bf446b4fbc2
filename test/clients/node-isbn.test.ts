// npm: node-isbn, which asks Google first, then Open Library's /api/books?jscmd=details, then others.
import isbn from "node-isbn";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { reroute } from "../support/node/reroute.ts";

const carrel = inject("carrel");
const { OPENLIBRARY, WORLDCAT } = isbn.PROVIDER_NAMES;

beforeAll(() => reroute(carrel));

describe("resolve", () => {
  it("comes to Open Library when Google knows nothing", async () => {
    expect(await isbn.resolve("9780141439518")).toEqual({
      title: "Pride and Prejudice",
      authors: ["Jane Austen"],
      publisher: "Penguin Classics",
      publishedDate: "December 31, 2002",
      description: undefined,
      industryIdentifiers: [],
      pageCount: 435,
      printType: "BOOK",
      categories: [],
      language: "en",
      imageLinks: {
        smallThumbnail: `${carrel.covers}/b/id/11-S.jpg`,
        thumbnail: `${carrel.covers}/b/id/11-S.jpg`,
      },
      previewLink: `${carrel.main}/books/OL1M/Pride_and_Prejudice`,
      infoLink: `${carrel.main}/books/OL1M/Pride_and_Prejudice`,
    });
  });

  it("gives the scan of a scanned book to look into, and its subtitle", async () => {
    const book = await isbn.provider([OPENLIBRARY]).resolve("0142437247");
    expect(book).toMatchObject({
      title: "Moby-Dick",
      description: "or, The Whale",
      previewLink: "https://archive.org/details/mobydickorwhale00melv",
      infoLink: `${carrel.main}/books/OL6M/Moby-Dick`,
    });
  });

  it.each([
    ["9782070413119", "Madame Bovary", "Gustave Flaubert", "fr"],
    ["9788420412146", "Don Quijote de la Mancha", "Miguel de Cervantes Saavedra", "es"],
    ["9783150099001", "Die Verwandlung", "Franz Kafka", "unknown"],
    ["014143984X", "Dracula", "Bram Stoker", "en"],
  ])("finds %s", async (number, title, author, language) => {
    const book = await isbn.provider([OPENLIBRARY]).resolve(number);
    expect(book).toMatchObject({ title, authors: [author], language });
  });

  it("has the authors of the work where the edition has none of its own, and no image without a cover", async () => {
    const book = await isbn.provider([OPENLIBRARY]).resolve("9780141439587");
    expect(book).toMatchObject({ title: "Emma", authors: ["Jane Austen"] });
    expect(book.imageLinks).toEqual({ smallThumbnail: undefined, thumbnail: undefined });
  });

  it("calls back", async () => {
    const book = await new Promise((resolve, reject) => {
      isbn.provider([OPENLIBRARY]).resolve("9780141439471", (error, found) => {
        if (error === null) resolve(found);
        else reject(error);
      });
    });
    expect(book).toMatchObject({ title: "Frankenstein", publisher: "Penguin Classics", pageCount: 273 });
  });

  it("says that there is no book", async () => {
    const resolving = isbn.provider([OPENLIBRARY]).resolve("9780000000002");
    await expect(resolving).rejects.toThrow("no books found with isbn: 9780000000002");
    // The last one asked decides what the client says, and Open Library was not the last.
    await expect(isbn.provider([OPENLIBRARY, WORLDCAT]).resolve("9780000000002")).rejects.toThrow("no books");
  });
});
