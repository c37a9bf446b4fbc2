import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { checkImage } from "../../../src/worker/covers/check-image.ts";
import {
  type CoverToStore,
  storeCover,
  storeFetched,
  renditionName,
} from "../../../src/worker/covers/store-cover.ts";
import { createCoverStore } from "../../../src/worker/listeners/cover-store.ts";
import { jpegImage } from "../../support/covers/real-images.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";
import { english } from "../../../src/catalog/texts.ts";

const service = testService();
const NOW = Date.parse("2026-11-21T12:00:00Z");
const listener = createCoverStore("OL", { ...systemSources, now: () => NOW });
const BLANK = "47494638396101000100f00000000000ffffff21f90405000000002c00000000010001000002024401003b";

const image = (bytes: Uint8Array<ArrayBuffer>) => {
  const checked = checkImage(bytes);
  if ("key" in checked) throw new Error(english(checked));
  return checked;
};
const call = async (
  path: string,
  init: RequestInit = {},
  settings: Partial<Cloudflare.Env> = {},
): Promise<Response> =>
  listener.fetch(
    new Request(`http://covers.test${path}`, { redirect: "manual", ...init }),
    { ...env, ...settings },
    createExecutionContext(),
  );
/** The width of the image that is answered: the covers here are told apart by it. */
async function widthOf(response: Response): Promise<number | string> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.toHex() === BLANK ? "blank" : image(bytes).width;
}
const shown = async (path: string): Promise<number | string> => widthOf(await call(path));

beforeAll(async () => {
  // A cover is as wide as its number says.
  for (const id of [11, 12, 13, 14, 15, 16, 17])
    await storeFetched(storesOf(env), id, image(jpegImage(id, 40)));
  await service.load(
    work(1, { covers: [-1, 14] }),
    work(2),
    work(3),
    work(4, { covers: [-1] }),
    redirected("/works/OL5W", "/works/OL1W"),
    deleted("/books/OL9M", 2),
    author(1, { photos: [null, -1, 15] }),
    edition(1, {
      work: 2,
      covers: [-1, 11],
      isbn_10: ["0-14-032872-6"],
      lccn: ["sa 64009056"],
      oclc_numbers: ["ocm00012345"],
      ocaid: "foo00bar",
      identifiers: { goodreads: ["6383507"], librarything: ["1060"] },
      modified: "2026-11-03T00:00:00.000000",
    }),
    edition(2, { work: 2, covers: [12], isbn_13: ["9780140328721"], modified: "2026-11-05T00:00:00.000000" }),
    edition(3, { work: 3, covers: [], isbn_13: ["9780306406157"], modified: "2026-11-01T00:00:00.000000" }),
    edition(4, { work: 3, covers: [13], isbn_13: ["9780306406157"], modified: "2026-11-02T00:00:00.000000" }),
    edition(5, { covers: "16" }),
    edition(6, { covers: [99] }),
    edition(7, { isbn_10: ["080442957X"], covers: [16], source_records: ["ia:scan0"] }),
  );
});

describe("GET /{category}/{key}/{value}.jpg", () => {
  it.each([
    ["/b/olid/OL1M.jpg", 11],
    ["/b/OLID/ol1m-L.jpg", 11],
    ["/w/olid/OL1W-S.jpg", 14],
    ["/a/olid/OL1A-M.jpg", 15],
    ["/b/isbn/0140328726.jpg", 11],
    ["/b/ISBN/978-0-14-032872-1-M.jpg", 11],
    ["/b/isbn/0-8044-2957-X.jpg", 16],
    ["/b/lccn/sa64-9056-M.jpg", 11],
    ["/b/oclc/12345.jpg", 11],
    ["/b/oclc/ocm00012345-L.jpg", 11],
    ["/b/ia/foo00bar.jpg", 11],
    ["/w/ia/foo00bar-M.jpg", 11],
    ["/b/ia/scan0.jpg", 16],
    ["/b/goodreads/6383507-M.jpg", 11],
    ["/b/librarything/1060-M.jpg", 11],
  ])("finds %s", async (path, width) => {
    const response = await call(path);
    expect(response.headers.get("Content-Type")).toBe("image/jpeg");
    expect(await widthOf(response)).toBe(width);
    expect(await widthOf(await service.fetch(path.replace("%20", "_")))).toBe(width);
    expect(await widthOf(await service.fetch(`/covers${path}`.replace("%20", "_")))).toBe(width);
  });

  it.each([
    ["shows the oldest edition with a cover", "/b/isbn/9780306406157.jpg", 13],
    ["shows the first edition's cover for a work without one", "/w/olid/OL2W.jpg", 11],
    ["skips editions without covers for a work", "/w/olid/OL3W.jpg", 13],
    ["follows redirects of works", "/w/olid/OL5W.jpg", 14],
    ["finds a work by the address of a book", "/b/olid/OL1W-S.jpg", 14],
    ["finds an author by the address of a book", "/b/olid/OL1A-M.jpg", 15],
    ["finds an edition by its key in place of an ISBN", "/b/isbn/OL1M.jpg", 11],
  ])("%s", async (_, path, width) => expect(await shown(path)).toBe(width));

  it.each([
    ["numbers that stand for none", "/w/olid/OL4W.jpg"],
    ["a record in another category", "/a/olid/OL1M.jpg"],
    ["a record that is not there", "/b/olid/OL404M-M.jpg"],
    ["a deleted record", "/b/olid/OL9M-M.jpg"],
    ["covers that are no list of numbers", "/b/olid/OL5M-M.jpg"],
    ["an image that is not there", "/b/olid/OL6M-M.jpg"],
    ["an unknown ISBN", "/b/isbn/0000000000-L.jpg"],
    ["no ISBN", "/b/isbn/x-L.jpg"],
    ["an identifier of no kind", "/b/nothing/1-M.jpg"],
    ["an author by ISBN", "/a/isbn/0140328726.jpg"],
    ["an unknown scan", "/b/ia/nothing-M.jpg"],
    ["quotes", "/b/goodreads/'%20OR%201=1--.jpg"],
  ])("answers with a blank image for %s", async (_, path) => expect(await shown(path)).toBe("blank"));

  it("needs no query by number, and one by any other key", async () => {
    const counted = countedDatabase(env.CATALOG);
    const paths = {
      "/b/id/11-M.jpg": 0,
      "/b/isbn/0140328726-M.jpg": 1,
      "/w/olid/OL2W-M.jpg": 1,
      "/b/isbn/1-M.jpg": 0,
    };
    for (const [path, trips] of Object.entries(paths)) {
      counted.statements.length = 0;
      const response = await call(path, {}, { CATALOG: counted.database });
      await response.arrayBuffer();
      expect([path, roundTrips(counted)]).toEqual([path, trips]);
    }
  });

  it("Q401: allows caching for ten minutes by other keys, and revalidation", async () => {
    const response = await call("/b/isbn/0140328726-M.jpg");
    expect(response.headers.get("ETag")).toBe('"11-m"');
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=600");
    expect(Date.parse(response.headers.get("Expires") ?? "")).toBe(NOW + 600_000);
    expect(response.headers.get("Last-Modified")).toBeNull();
    await response.body?.cancel();
    const known = await call("/b/isbn/0140328726-M.jpg", { headers: { "If-None-Match": '"11-m"' } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    // Another cover comes first by now.
    await service.load(
      edition(1, { covers: [17, 11], isbn_10: ["0-14-032872-6"], ocaid: "foo00bar", revision: 2 }),
    );
    const changed = await call("/b/ia/foo00bar-M.jpg", { headers: { "If-None-Match": '"11-m"' } });
    expect([changed.status, changed.headers.get("ETag"), await widthOf(changed)]).toEqual([
      200,
      '"17-m"',
      17,
    ]);
  });

  it("answers HEAD", async () => {
    const head = await call("/b/isbn/9780306406157-M.jpg", { method: "HEAD" });
    expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, '"13-m"', ""]);
    const missing = await call("/b/isbn/1-M.jpg", { method: "HEAD" });
    expect([missing.status, missing.headers.get("Content-Type"), await missing.text()]).toEqual([
      200,
      "image/gif",
      "",
    ]);
  });
});

describe("the default for missing covers", () => {
  const default_ = (value: string): Promise<Response> =>
    call(`/b/isbn/1-M.jpg?${new URLSearchParams({ default: value })}`);

  it.each(["https://h/x.png", "http://h/x.png?a=b&c=d", "HTTPS://h/x.png"])(
    "Q400: redirects to %s",
    async (url) => {
      const response = await default_(url);
      expect([response.status, response.headers.get("Location")]).toEqual([303, url]);
    },
  );

  it("Q400: does not redirect navigations to another site", async () => {
    const path = `/b/isbn/1-M.jpg?${new URLSearchParams({ default: "https://evil.example/" })}`;
    const opened = await call(path, { headers: { "Sec-Fetch-Dest": "document" } });
    expect(opened.headers.get("Vary")).toBe("Sec-Fetch-Dest");
    expect(await widthOf(opened)).toBe("blank");
    const embedded = await call(path, { headers: { "Sec-Fetch-Dest": "image" } });
    expect([embedded.status, embedded.headers.get("Vary")]).toEqual([303, "Sec-Fetch-Dest"]);
  });

  it.each(["ftp://h/x", "javascript:alert(1)", "//h/x.png", "/x.png", "https://", "http:///x", "", "1"])(
    "is a blank image for the invalid address %j",
    async (url) => expect(await widthOf(await default_(url))).toBe("blank"),
  );

  it("cannot inject a header", async () => {
    const location = (await default_("https://h/a\r\nSet-Cookie: a=b")).headers.get("Location");
    expect(location).toBe("https://h/a%0D%0ASet-Cookie:%20a=b");
  });

  it.each(["false", "False", "FALSE"])("is an empty 404 with %s", async (value) => {
    const response = await default_(value);
    expect([response.status, await response.text()]).toEqual([404, ""]);
  });
});

describe("COVER_FALLBACK_BASE", () => {
  const COVER_FALLBACK_BASE = "https://covers.example/";
  const location = async (path: string): Promise<unknown[]> => {
    const response = await call(path, {}, { COVER_FALLBACK_BASE });
    await response.arrayBuffer();
    return [response.status, response.headers.get("Location")];
  };

  it.each([
    ["/b/id/70-M.jpg", "https://covers.example/b/id/70-M.jpg"],
    ["/a/id/70.jpg", "https://covers.example/a/id/70.jpg"],
    ["/b/id/70-M.jpg?default=false", "https://covers.example/b/id/70-M.jpg?default=false"],
    ["/b/olid/OL6M-L.jpg", "https://covers.example/b/id/99-L.jpg"],
    ["/w/id/70.json", "https://covers.example/w/id/70.json"],
  ])("redirects %s", async (path, to) => expect(await location(path)).toEqual([302, to]));

  it.each(["/b/id/11-M.jpg", "/b/id/100000001-M.jpg", "/b/id/None-M.jpg", "/b/isbn/1-M.jpg"])(
    "does not redirect %s",
    async (path) => expect(await location(path)).toEqual([200, null]),
  );
});

describe("Q404: blocked covers", () => {
  it("are missing under every key", async () => {
    const settings = { COVERS_BLOCKED: "12 13", COVER_FALLBACK_BASE: "https://covers.example" };
    for (const path of ["/b/id/13-M.jpg", "/b/id/0013.jpg", "/b/isbn/9780306406157.jpg"]) {
      expect(await widthOf(await call(path, {}, settings))).toBe("blank");
    }
    expect((await call("/b/id/13.json", {}, settings)).status).toBe(404);
    expect(await widthOf(await call("/b/id/14.jpg", {}, settings))).toBe(14);
  });
});

describe("GET /{category}/id/{id}.json", () => {
  const stores = storesOf(env);
  const cover: CoverToStore = {
    category: "b",
    olid: "OL1017798M",
    image: image(jpegImage(600, 900)),
    sourceUrl: null,
    author: "/people/openlibrary",
    ip: "10.1.2.3",
  };
  const stored = async (changes: Partial<CoverToStore> = {}): Promise<number> => {
    const number = await storeCover(
      { stores, sources: { ...systemSources, now: () => NOW } },
      { ...cover, ...changes },
    );
    if (number === undefined) throw new Error("the image cannot be unpacked");
    return number;
  };
  let id = 0;
  beforeAll(async () => {
    id = await stored();
  });

  it("Q403: omits the uploader's address", async () => {
    const response = await call(`/b/id/${id}.json`);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const name = `covers/0${id}`;
    expect(await response.json()).toEqual({
      id,
      category_id: 1,
      olid: "OL1017798M",
      filename: `${name}/o`,
      filename_s: `${name}/S.jpg`,
      filename_m: `${name}/M.jpg`,
      filename_l: `${name}/L.jpg`,
      author: "/people/openlibrary",
      ip: null,
      source_url: "",
      source: null,
      isbn: null,
      width: 600,
      height: 900,
      failed: null,
      archived: false,
      uploaded: null,
      deleted: false,
      created: "2026-11-21T12:00:00.000000",
      last_modified: "2026-11-21T12:00:00.000000",
    });
    // The names are those in R2.
    for (const file of ["o", "S.jpg", "M.jpg", "L.jpg"])
      expect(await env.COVERS.head(`${name}/${file}`)).not.toBeNull();
    expect(await service.json(`/covers/b/id/${id}.json`)).toEqual(await service.json(`/b/id/${id}.json`));
  });

  it("answers in every category with its number", async () => {
    const photo = await stored({ category: "a", olid: null, sourceUrl: "https://archive.org/x.jpg" });
    expect(await service.json(`/w/id/${photo}.json`)).toMatchObject({
      category_id: 2,
      olid: null,
      source_url: "https://archive.org/x.jpg",
    });
    expect(await service.json(`/a/id/${await stored({ category: "w" })}.json`)).toMatchObject({
      category_id: 3,
    });
  });

  it("redirects from other keys", async () => {
    const response = await call("/b/isbn/9780306406157.json");
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/b/id/13.json"]);
    const main = await service.fetch("/covers/w/olid/OL3W.json");
    expect([main.status, main.headers.get("Location")]).toEqual([302, "/covers/w/id/13.json"]);
  });

  it.each(["/b/id/404.json", "/b/id/x.json", "/b/id/-1.json", "/b/isbn/1.json", "/b/olid/OL404M.json"])(
    "answers an empty 404 for %s",
    async (path) => {
      const response = await call(path);
      expect([response.status, await response.text()]).toEqual([404, ""]);
    },
  );

  it("names the original without renditions", async () => {
    const plain = await stored();
    await env.CATALOG.prepare("UPDATE cover SET renditions = 'none' WHERE id = ?").bind(plain).run();
    await env.COVERS.delete(renditionName(plain, "M"));
    expect(await service.json(`/b/id/${plain}.json`)).toMatchObject({ filename_m: `covers/0${plain}/o` });
    expect(await shown(`/b/id/${plain}-M.jpg`)).toBe(600);
  });
});
