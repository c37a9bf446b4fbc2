import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { IMAGES_OF_ONE } from "../../../src/worker/covers/change-images.ts";
import { COVER_BYTES } from "../../../src/worker/covers/check-image.ts";
import { UPLOAD_FORM_BYTES } from "../../../src/worker/covers/form-data.ts";
import { deletedName } from "../../../src/worker/covers/remove.ts";
import { pngImage } from "../../support/covers/real-images.ts";
import {
  type Fields,
  coverObjects,
  coverRow,
  imageFile,
  multipart,
  storedCover,
  toStore,
} from "../../support/worker/cover-store.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { type Who, HTML, leads, looking } from "../../support/worker/writing.ts";

const service = testService({ COVERS_PUBLIC_URL: "https://covers.example" });
const { read, lastChange } = looking(service);
const network = fakeNetwork();
const IMAGE = pngImage(300, 200);
const URL_OF_IMAGE = "https://archive.org/download/foo/page/cover.jpg";
let ann: LoggedIn;

const send = (path: string, fields: Fields, headers: Record<string, string> = {}, who: Who = ann) =>
  who.fetch(path, { method: "POST", body: multipart(fields), headers });
const answer = async (path: string, fields: Fields, headers?: Record<string, string>): Promise<unknown[]> => {
  const response = await send(path, fields, headers);
  return [response.status, await response.json()];
};
const added = async (path: string, fields: Fields): Promise<{ id: number } & Record<string, unknown>> => {
  const [status, body] = await answer(path, fields);
  expect([status, body]).toEqual([200, expect.anything()]);
  return Object(body);
};
const state = async () => [
  (await env.CATALOG.prepare("SELECT count(*) AS covers FROM cover").first("covers")) as number,
  (await coverObjects()).length,
  (await read("/books/OL1M")).revision,
];

beforeAll(async () => {
  await service.load(
    work(1),
    work(2, { covers: [40] }),
    edition(1, { work: 1, covers: [5, -1, null] }),
    edition(2, { work: 1, covers: [5, 6] }),
    edition(3, { work: 2, covers: [-1, 41] }),
    redirected("/books/OL9M", "/books/OL1M", 1),
    { key: "/authors/OL1A", type: "/type/author", name: "Ann", remote_ids: { wikidata: "Q42" } },
    { key: "/permission/locked", type: "/type/permission", writers: [{ key: "/usergroup/keepers" }] },
    { ...edition(4, { work: 1 }), permission: { key: "/permission/locked" } },
  );
  ann = await loggedIn(service, "cover_ann");
});

describe("POST …/add-cover", () => {
  it("puts the number of a file first in an edition", async () => {
    const { id, ...body } = await added("/books/OL1M/add-cover", { file: imageFile(IMAGE), url: "https://" });
    expect(body).toEqual({
      url: `https://covers.example/b/id/${id}-M.jpg`,
      // BWBCoverBot looks for this message.
      message: "Saved!",
      key: "/books/OL1M",
      covers: [id, 5],
    });
    expect((await read("/books/OL1M"))["covers"]).toEqual([id, 5, -1, null]);
    expect(await lastChange()).toMatchObject({
      kind: "add-cover",
      author: { key: "/people/cover_ann" },
      comment: `https://covers.example/b/id/${id}-S.jpg`,
      data: { url: "" },
      changes: [{ key: "/books/OL1M", revision: 2 }],
    });
    const history = await service.fetch("/books/OL1M?m=history", { headers: { Accept: "text/html" } });
    expect(await history.text()).toContain(`<a href="/b/id/${id}-L.jpg">Image ${id}</a>`);
    expect(await coverRow(id)).toMatchObject({
      category: "b",
      olid: "OL1M",
      author: "/people/cover_ann",
      ip: "local",
      source_url: null,
    });
    expect(await (await service.fetch(`/b/id/${id}.jpg`)).bytes()).toEqual(IMAGE);
  });

  it("takes an address, which goes before a file", async () => {
    network.answer({ [URL_OF_IMAGE]: () => new Response(IMAGE) });
    const { id } = await added("/works/OL1W/add-cover", { url: URL_OF_IMAGE, file: imageFile() });
    expect((await read("/works/OL1W"))["covers"]).toEqual([id]);
    expect(await lastChange()).toMatchObject({ kind: "add-cover", data: { url: URL_OF_IMAGE } });
    expect(await coverRow(id)).toMatchObject({
      category: "w",
      olid: "OL1W",
      source_url: URL_OF_IMAGE,
      width: 300,
    });
  });

  it("gives an author a photo", async () => {
    const { id, ...body } = await added("/authors/OL1A/add-photo", { file: imageFile() });
    expect(body).toEqual({
      url: `https://covers.example/a/id/${id}-M.jpg`,
      message: "Saved!",
      key: "/authors/OL1A",
      photos: [id],
    });
    expect((await read("/authors/OL1A"))["photos"]).toEqual([id]);
    expect(await lastChange()).toMatchObject({
      kind: "add-photo",
      comment: "Added new photo",
      data: { url: "" },
    });
    expect(await coverRow(id)).toMatchObject({ category: "a", olid: "OL1A" });
  });

  it.each(["/books/OL2M/add-cover.json", "/books/OL2M/Any_Title/add-cover", "/books/OL2M/-/add-cover.json"])(
    "is an alias: %s",
    async (path) => {
      const { id } = await added(path, { file: imageFile() });
      const [first] = (await read("/books/OL2M"))["covers"] as number[];
      expect(first).toBe(id);
    },
  );

  it("takes an existing cover for a work", async () => {
    expect(await added("/works/OL2W/add-cover", { coverid: "41" })).toMatchObject({
      id: 41,
      url: "https://covers.example/w/id/41-M.jpg",
      covers: [41, 40],
    });
    expect(await added("/works/OL2W/add-cover", { coverid: "40", file: imageFile() })).toMatchObject({
      covers: [40, 41],
    });
    const gone = await storedCover(service);
    await toStore(service, "/b/delete", { id: String(gone) });
    for (const coverid of ["x", "-1", "0", "4.5", String(gone), "199000000"]) {
      expect(await answer("/works/OL2W/add-cover", { coverid })).toEqual([400, { error: "No such cover" }]);
    }
    expect((await read("/works/OL2W"))["covers"]).toEqual([40, 41]);
    // Q414: of works alone.
    expect(await answer("/books/OL2M/add-cover", { coverid: "40" })).toEqual([
      400,
      { code: 1, message: "No image found" },
    ]);
  });

  it("redirects browsers to the covers", async () => {
    expect(await leads(send("/books/OL2M/add-cover", { file: imageFile() }, HTML))).toBe(
      "303 /books/OL2M/manage-covers?saved",
    );
    expect(await leads(send("/authors/OL1A/x/add-photo", { file: imageFile() }, HTML))).toBe(
      "303 /authors/OL1A/manage-photos?saved",
    );
    const page = async (path: string) => (await ann.fetch(path, { headers: HTML })).text();
    expect(await page("/books/OL2M/manage-covers?saved")).toContain('role="status"><p>Changes saved</p>');
    expect(await page("/books/OL2M/manage-covers")).not.toContain("Changes saved");
  });

  // Q524: Python's requests calls each field a file, and openlibrary-client calls the whole JSON.
  it.each(["multipart/form-data; boundary=0a1b", "application/json"])(
    "takes fields sent as files, as %s",
    async (type) => {
      network.answer({ [URL_OF_IMAGE]: () => new Response(IMAGE) });
      const fields = { file: "", url: URL_OF_IMAGE, upload: "submit" };
      const parts = Object.entries(fields).map(
        ([name, text]) =>
          `--0a1b\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n${text}\r\n`,
      );
      const init = {
        method: "POST",
        body: `${parts.join("")}--0a1b--\r\n`,
        headers: { "Content-Type": type },
      };
      const response = await ann.fetch("/books/OL2M/-/add-cover", init);
      expect([response.status, await response.json()]).toEqual([
        200,
        expect.objectContaining({ message: "Saved!" }),
      ]);
      expect(await lastChange()).toMatchObject({ kind: "add-cover", data: { url: URL_OF_IMAGE } });
    },
  );

  it("keeps the covers of concurrent requests", async () => {
    await service.load(edition(30, { work: 1, covers: [1] }));
    const ids = await Promise.all(
      Array.from(
        { length: 5 },
        async () => (await added("/books/OL30M/add-cover", { file: imageFile() })).id,
      ),
    );
    const covers = (await read("/books/OL30M"))["covers"] as number[];
    expect(covers.toSorted()).toEqual([1, ...ids].toSorted());
    expect(covers.at(-1)).toBe(1);
  });
});

describe("the image budget of an account", () => {
  it("limits images an hour, also refused ones", async () => {
    const then = service.now;
    // A budget of the past would be cleared away at once.
    service.now = Date.now();
    const [bob, carol] = [await loggedIn(service, "cover_bob"), await loggedIn(service, "cover_carol")];
    const budget = env.THROTTLE.getByName("images of /people/cover_bob");
    const counts = Array.from({ length: IMAGES_OF_ONE.limit - 2 }, () =>
      budget.count(service.now, IMAGES_OF_ONE),
    );
    await Promise.all(counts);
    const statusOf = async (fields: Fields, who: Who = bob): Promise<number> =>
      (await send("/books/OL1M/add-cover", fields, {}, who)).status;
    expect(await statusOf({ file: imageFile(new Uint8Array(9)) })).toBe(400);
    expect(await statusOf({ file: imageFile(IMAGE) })).toBe(200);
    const before = await state();
    const refused = await send("/books/OL1M/add-cover", { file: imageFile(IMAGE) }, {}, bob);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "3600"]);
    expect(await send("/authors/OL1A/add-photo", { url: URL_OF_IMAGE }, HTML, bob)).toMatchObject({
      status: 429,
    });
    expect(await state()).toEqual(before);
    expect(await statusOf({ file: imageFile(IMAGE) }, carol)).toBe(200);
    // A cover that is there already costs nothing.
    const [id] = (await read("/books/OL1M"))["covers"] as number[];
    expect((await send("/works/OL1W/add-cover", { coverid: String(id) }, {}, bob)).status).toBe(200);
    service.now = then;
  });
});

describe("POST …/add-cover: failures", () => {
  const large = (): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(COVER_BYTES + 1);
    bytes.set(IMAGE);
    return bytes;
  };
  const error = (message: string) => ({ error: message });

  it.each<[string, () => Fields, unknown]>([
    ["nothing", () => ({}), { code: 1, message: "No image found" }],
    [
      "no file chosen",
      () => ({ file: new File([], ""), url: "https://" }),
      { code: 1, message: "No image found" },
    ],
    [
      "another kind of file",
      () => ({ file: imageFile(IMAGE, "x.pdf") }),
      error("Unsupported file extension"),
    ],
    ["a name that hides it", () => ({ file: imageFile(IMAGE, "png") }), error("Unsupported file extension")],
    ["a large file", () => ({ file: imageFile(large(), "x.PNG") }), error("File size exceeds 10MB limit")],
    [
      "a form that is too large",
      () => ({ file: imageFile(new Uint8Array(COVER_BYTES + UPLOAD_FORM_BYTES), "x.png") }),
      error("File size exceeds 10MB limit"),
    ],
    ["text", () => ({ file: imageFile(new Uint8Array(9), "x.webp") }), error("Not a valid image file")],
    [
      "an empty file with a name",
      () => ({ file: imageFile(new Uint8Array()) }),
      error("Not a valid image file"),
    ],
    ["a forbidden address", () => ({ url: "http://10.0.0.1/" }), { code: 2, message: "Invalid URL" }],
    [
      "a bad file beside an address",
      () => ({ url: URL_OF_IMAGE, file: imageFile(IMAGE, "x.pdf") }),
      error("Unsupported file extension"),
    ],
    ["a page", () => ({ url: "https://books.google.com/page" }), { code: 3, message: "Invalid Image" }],
  ])("refuses %s", async (_, fields, expected) => {
    network.answer({ "https://books.google.com/page": () => new Response("<html>") });
    const before = await state();
    expect(await answer("/books/OL1M/add-cover", fields())).toEqual([400, expected]);
    expect(await state()).toEqual(before);
  });

  it("shows the form with the error in a browser", async () => {
    const fields = { url: 'https://evil.example/"><script>' };
    const response = await send("/books/OL1M/add-cover", fields, HTML);
    const page = await response.text();
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      400,
      "text/html; charset=utf-8",
    ]);
    expect(page).toContain("Check the highlighted fields");
    expect(page).toContain("Invalid URL");
    expect(page).toContain('value="https://evil.example/&quot;&gt;&lt;script&gt;"');
    expect(page).toMatch(/id="url" name="url" aria-describedby="url-hint url-error" aria-invalid="true"/);
    const file = await (
      await send("/books/OL1M/add-cover", { file: imageFile(new Uint8Array(9)) }, HTML)
    ).text();
    expect(file).toContain('aria-describedby="file-hint file-error" aria-invalid="true"');
    const json = await send("/books/OL1M/add-cover.json", fields, HTML);
    expect(json.status).toBe(400);
  });

  it.each([
    "/books/OL404M/add-cover",
    "/works/OL404W/add-cover",
    "/authors/OL404A/add-photo",
    "/books/OL9M/add-cover",
  ])("answers 404 for an unknown record: %s", async (path) => {
    const before = await state();
    expect((await send(path, { file: imageFile() })).status).toBe(404);
    expect(await state()).toEqual(before);
  });

  it("fetches nothing without the right to change the record", async () => {
    const reader = await loggedIn(service, "cover_reader", { groups: ["read-only"] });
    network.answer({ [URL_OF_IMAGE]: () => new Response(IMAGE) });
    const before = await state();
    expect((await send("/books/OL1M/add-cover", { url: URL_OF_IMAGE }, {}, reader)).status).toBe(403);
    expect((await send("/books/OL4M/add-cover", { url: URL_OF_IMAGE })).status).toBe(403);
    expect([network.asked, await state()]).toEqual([[], before]);
  });

  it("refuses cross-site requests", async () => {
    const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    expect((await send("/books/OL1M/add-cover", { file: imageFile() }, headers)).status).toBe(403);
    expect((await send("/books/OL1M/manage-covers", { image: "-" }, headers)).status).toBe(403);
  });
});

it("deletes the image of a refused record", async () => {
  await service.load({
    ...edition(50, { work: 1 }),
    covers: Array.from({ length: 1000 }, (_, index) => index + 1),
  });
  const before = await state();
  expect(await answer("/books/OL50M/add-cover", { file: imageFile() })).toEqual([
    400,
    { error: "A record can have at most 1000 images" },
  ]);
  const id = await env.CATALOG.prepare("SELECT max(id) AS id FROM cover").first<number>("id");
  expect(await coverRow(id ?? 0)).toMatchObject({ olid: "OL50M", deleted: expect.any(String) });
  expect(await coverObjects(`covers/0${id}`)).toEqual([]);
  expect(await coverObjects(`deleted/0${id}`)).toEqual([deletedName(id ?? 0)]);
  expect((await state())[2]).toBe(before[2]);
});

it("leaves the record unchanged when the bucket fails", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const broken = testService({
    COVERS: { put: () => Promise.reject(new Error("no bucket")) } as unknown as R2Bucket,
  });
  const { revision } = await read("/books/OL1M");
  const response = await broken.fetch("/books/OL1M/add-cover", {
    method: "POST",
    body: multipart({ file: imageFile() }),
    headers: ann.headers,
  });
  expect(response.status).toBe(500);
  expect((await read("/books/OL1M")).revision).toBe(revision);
});
