import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { COVER_BYTES } from "../../../src/worker/covers/check-image.ts";
import { UPLOAD_FORM_BYTES } from "../../../src/worker/covers/form-data.ts";
import { pngImage } from "../../support/covers/real-images.ts";
import { newAddress } from "../../support/worker/accounts.ts";
import {
  type Fields,
  COVERS_KEY,
  coverLog,
  coverObjects,
  coverRow,
  imageFile,
  multipart,
  storedCover,
  toStore,
} from "../../support/worker/cover-store.ts";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { testService } from "../../support/worker/service.ts";
import { leads } from "../../support/worker/writing.ts";

const service = testService();
const listener = {
  fetch: (path: string, init?: RequestInit) => exports.CoverStore.fetch(`http://covers.test${path}`, init),
};
const network = fakeNetwork();
const IMAGE = pngImage(300, 200);
const answer = async (fields: Fields, path = "/b/upload2"): Promise<unknown[]> => {
  const response = await toStore(service, path, fields);
  return [response.status, await response.json()];
};
const NO_IMAGE = [400, { code: 1, message: "No image found" }];
const BAD_URL = [400, { code: 2, message: "Invalid URL" }];
const BAD_IMAGE = [400, { code: 3, message: "Invalid Image" }];
const stored = [200, { ok: "true", id: expect.any(Number) }];

describe("POST /b/upload2", () => {
  it("stores an image in all sizes, with its row and log", async () => {
    const response = await toStore(service, "/b/upload2", {
      data: imageFile(IMAGE),
      olid: "OL1M",
      author: "/people/ann",
      ip: "192.0.2.7",
    });
    const body = await response.json<{ ok: string; id: number }>();
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(body).toEqual({ ok: "true", id: body.id });
    expect(await coverRow(body.id)).toMatchObject({
      category: "b",
      olid: "OL1M",
      author: "/people/ann",
      ip: "192.0.2.7",
      source_url: null,
      state: "stored",
      content_type: "image/png",
      bytes: IMAGE.length,
      width: 300,
      height: 200,
      deleted: null,
    });
    expect(await coverLog(body.id)).toEqual([["new", "2026-11-21T12:00:00.000000"]]);
    const folder = `covers/0${body.id}`;
    expect(await coverObjects(`${folder}/`)).toEqual(
      ["L.jpg", "M.jpg", "S.jpg", "o"].map((n) => `${folder}/${n}`),
    );
    expect(await (await env.COVERS.get(`${folder}/o`))?.bytes()).toEqual(IMAGE);
  });
  it.each(["/b/upload2", "/covers/b/upload2"])("is %s on the main site", async (path) => {
    expect(await answer({ data: imageFile() }, path)).toEqual(stored);
  });

  it("is on the cover store's listener", async () => {
    const id = await storedCover(listener, { category: "w", olid: "OL7W" });
    expect(await coverRow(id)).toMatchObject({ category: "w", olid: "OL7W" });
    const image = await listener.fetch(`/w/id/${id}.jpg`);
    expect(await image.bytes()).toEqual(pngImage(3, 2));
  });

  it("Q410: takes the bytes of an image in a urlencoded form", async () => {
    const escaped = [...IMAGE].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    const response = await service.fetch("/b/upload2", {
      method: "POST",
      body: `olid=OL2M&source_url=&data=${escaped}&author=%2Fpeople%2FJos%C3%A9+x`,
      headers: { ...COVERS_KEY, "Content-Type": "application/x-www-form-urlencoded" },
    });
    const { id } = await response.json<{ id: number }>();
    expect(await coverRow(id)).toMatchObject({ olid: "OL2M", author: "/people/José x", width: 300 });
    expect(await (await env.COVERS.get(`covers/0${id}/o`))?.bytes()).toEqual(IMAGE);
  });
});

describe("POST /b/upload2: failures", () => {
  it.each<[string, Fields, unknown[]]>([
    ["nothing", {}, NO_IMAGE],
    ["an empty file", { data: imageFile(new Uint8Array()) }, NO_IMAGE],
    ["a blank address", { source_url: " " }, NO_IMAGE],
    ["text", { data: imageFile(Uint8Array.from([60, 115, 118, 103, 47, 62])) }, BAD_IMAGE],
    ["half an image", { data: imageFile(IMAGE.slice(0, 90)) }, BAD_IMAGE],
    ["an address that goes before it", { data: imageFile(), source_url: "http://127.0.0.1/" }, BAD_URL],
  ])("refuses %s", async (_, fields, expected) => {
    const before = await coverObjects();
    expect(await answer(fields)).toEqual(expected);
    expect(await coverObjects()).toEqual(before);
  });

  it.each(["multipart/form-data", "multipart/form-data; boundary=x", "application/json", ""])(
    "refuses a body that is no form, called %j",
    async (type) => {
      const headers = { ...COVERS_KEY, "Content-Type": type };
      const response = await service.fetch("/b/upload2", { method: "POST", body: '{"data":"x"}', headers });
      expect([response.status, await response.json()]).toEqual(NO_IMAGE);
    },
  );

  it("refuses texts that are too long", async () => {
    const [status, body] = await answer({ data: imageFile(), olid: "x".repeat(201) });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ type: "string_too_long", loc: ["body", "olid"] }] });
  });

  it("refuses a body that is too large, of either kind", async () => {
    const large = new Uint8Array(COVER_BYTES + UPLOAD_FORM_BYTES + 1);
    expect((await toStore(service, "/b/upload2", { data: imageFile(large) })).status).toBe(413);
    const response = await service.fetch("/b/upload2", {
      method: "POST",
      body: `data=${"%00".repeat(COVER_BYTES + UPLOAD_FORM_BYTES)}`,
      headers: { ...COVERS_KEY, "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(response.status).toBe(413);
    expect(await answer({ data: imageFile(large.slice(0, COVER_BYTES + 1)) })).toEqual([
      400,
      { code: 3, message: "Invalid Image", detail: `The image has more than ${COVER_BYTES} bytes` },
    ]);
  });
});

describe("source_url", () => {
  beforeAll(async () => {
    await service.load({ key: "/books/OL1M", type: "/type/edition", title: "x" });
  });

  it.each([
    "https://archive.org/download/foo00bar/page/cover.jpg",
    "http://archive.org/download/foo00bar/page/cover_w180_h360.jpg",
    "https://archive.org/download/foo/bar/page/title_w500",
    "https://archive.org/services/img/foo00bar/full/pct:600/0/default.jpg",
    "https://covers.openlibrary.org/b/id/7-L.jpg",
    "https://covers.openlibrary.org/b/isbn/9780141439518.jpg",
    "https://books.google.com/books/content?id=1&img=1",
    "https://commons.wikimedia.org/wiki/Special:Redirect/file/x.jpg",
    "https://m.media-amazon.com/images/I/1.jpg",
  ])("fetches %s", async (source_url) => {
    network.answer({ [source_url]: () => new Response(IMAGE) });
    const [status, body] = await answer({ source_url, data: imageFile() });
    expect([status, network.asked]).toEqual([200, [source_url]]);
    expect(await coverRow((body as { id: number }).id)).toMatchObject({ source_url, width: 300 });
  });

  it.each([
    "https://archive.org/",
    "https://archive.org/download/foo00bar/foo00bar.pdf",
    "https://archive.org/download/foo?/page/cover.jpg",
    "https://archive.org/download/foo#/page/cover.jpg",
    "https://archive.org/download/foo/page/cover.jpg.exe",
    "https://archive.org/services/img/foo00bar",
    "https://covers.openlibrary.org/b/upload2",
    "https://covers.openlibrary.org/a/id/7-L.jpg",
    "http://127.0.0.1/x.jpg",
    "//archive.org/download/x/page/cover.jpg",
  ])("does not fetch %s", async (source_url) => {
    network.answer({});
    expect(await answer({ source_url })).toEqual(BAD_URL);
    expect(network.asked).toEqual([]);
  });

  const COVER = "https://archive.org/download/foo00bar/page/cover.jpg";
  const redirect = (location: string) => () =>
    new Response(null, { status: 302, headers: { Location: location } });

  it.each([
    ["http://10.0.0.1/x.jpg"],
    ["https://archive.org/download/foo00bar/foo00bar.pdf"],
    ["https://covers.openlibrary.org/b/upload2"],
  ])("does not follow a redirect to %s", async (location) => {
    network.answer({ [COVER]: redirect(location) });
    expect(await answer({ source_url: COVER })).toEqual(BAD_URL);
    expect(network.asked).toEqual([COVER]);
  });

  it("follows a redirect to another allowed host", async () => {
    const next = "https://books.google.com/x.jpg";
    network.answer({ [COVER]: redirect(next), [next]: () => new Response(IMAGE) });
    expect(await answer({ source_url: COVER })).toEqual(stored);
  });

  it.each<[string, () => Response, unknown[]]>([
    ["a network error", () => Response.error(), BAD_URL],
    ["a 404", () => new Response("no", { status: 404 }), BAD_URL],
    ["a page", () => new Response("<html>"), BAD_IMAGE],
    ["too many bytes", () => new Response(new Uint8Array(COVER_BYTES + 1)), BAD_URL],
  ])("refuses %s", async (_, response, expected) => {
    network.answer({ [COVER]: response });
    expect(await answer({ source_url: COVER })).toEqual(expected);
  });

  it("reads the service's own covers without a request", async () => {
    const own = testService({
      COVERS_PUBLIC_URL: "https://covers.example/store",
      BASE_URL: "https://site.example",
    });
    const id = await storedCover(own, { data: imageFile(IMAGE) });
    network.answer({});
    for (const address of [
      `https://covers.example/store/b/id/${id}.jpg`,
      `https://site.example/a/id/00${id}.jpg`,
      `https://site.example/covers/w/id/${id}.jpg`,
    ]) {
      const copy = await storedCover(own, { source_url: address });
      expect(await coverRow(copy)).toMatchObject({
        source_url: address,
        width: 300,
        content_type: "image/png",
      });
    }
    await own.load({
      key: "/books/OL8M",
      type: "/type/edition",
      isbn_13: ["9780141439518"],
      covers: [-1, id],
    });
    for (const path of ["olid/ol8m", "isbn/978-0-14-143951-8"]) {
      const copy = await storedCover(own, { source_url: `https://covers.example/store/b/${path}-L.jpg` });
      expect(await coverRow(copy)).toMatchObject({ width: 300, content_type: "image/jpeg" });
    }
    const small = await storedCover(own, { source_url: `https://covers.example/store/b/id/${id}-M.jpg` });
    expect(await coverRow(small)).toMatchObject({ width: 180, height: 120, content_type: "image/jpeg" });
    for (const address of [
      "https://site.example/b/id/999-M.jpg",
      "https://site.example/b/id/-1-M.jpg",
      "https://site.example/b/olid/OL404M-M.jpg",
      "https://covers.example/b/id/1.jpg",
      "https://covers.example/store/../b/id/1.jpg",
      `https://x@site.example/b/id/${id}.jpg`,
      `http://site.example/b/id/${id}.jpg`,
    ]) {
      expect([address, ...((await answer({ source_url: address })) as unknown[])]).toEqual([
        address,
        ...BAD_URL,
      ]);
    }
    expect(network.asked).toEqual([]);
  });
});

describe("access to POST /b/upload2", () => {
  const status = async (headers: Record<string, string>, where: typeof listener = service) => {
    const response = await where.fetch("/b/upload2", {
      method: "POST",
      body: multipart({ data: imageFile() }),
      headers: { "CF-Connecting-IP": newAddress(), ...headers },
    });
    await response.body?.cancel();
    return [response.status, response.headers.get("WWW-Authenticate")];
  };

  it.each([
    ["main site", service],
    ["listener", listener],
  ])("needs the secret on the %s", async (_, where) => {
    expect(await status(COVERS_KEY, where)).toEqual([200, null]);
    expect(await status({}, where)).toEqual([401, "Bearer"]);
    expect(await status({ Authorization: "Bearer wrong" }, where)).toEqual([403, null]);
    expect(await status({ Authorization: `Bearer ${env.LOAD_TOKEN}` }, where)).toEqual([403, null]);
    expect(await status({ Authorization: `Basic ${env.COVERS_SECRET}` }, where)).toEqual([401, "Bearer"]);
  });

  it("is closed without a configured secret", async () => {
    const open = testService({ COVERS_SECRET: undefined as unknown as string });
    const response = await open.fetch("/b/upload2", { method: "POST", headers: COVERS_KEY });
    expect(response.status).toBe(503);
  });

  it("limits guesses of an address", async () => {
    // The count ends at a moment of the real clock.
    const guessed = Object.assign(testService(), { now: Date.now() });
    const client = { "CF-Connecting-IP": newAddress() };
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await status({ ...client, Authorization: "Bearer guess" }, guessed))[0]).toBe(403);
    }
    expect((await status({ ...client, ...COVERS_KEY }, guessed))[0]).toBe(429);
  });

  it("refuses other methods", async () => {
    const get = await service.fetch("/b/upload2");
    expect([get.status, get.headers.get("Allow")]).toEqual([404, null]);
    const listened = await listener.fetch("/b/upload2");
    expect([listened.status, listened.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
    const unknown = await toStore(listener, "/x/upload2", { data: imageFile() });
    expect(unknown.status).toBe(404);
  });
});

const sendForm = (fields: Fields) => leads(toStore(service, "/b/upload", { olid: "OL1M", ...fields }));
const newest = async () => {
  const row = await env.CATALOG.prepare("SELECT max(id) AS id FROM cover").first<{ id: number }>();
  return coverRow(row?.id ?? 0);
};
const good = "https://site.example/good?a=b";
const bad = "https://site.example/bad?a=1&errcode=9#part";

describe("POST /b/upload", () => {
  it("stores an image and redirects", async () => {
    const fields = { file: imageFile(), author: "/people/ann", success_url: good, failure_url: bad };
    expect(await sendForm(fields)).toBe(`303 ${good}`);
    expect(await newest()).toMatchObject({
      category: "b",
      olid: "OL1M",
      author: "/people/ann",
      state: "stored",
    });
    expect(await leads(toStore(service, "/a/upload", { olid: "OL1A", file: imageFile() }))).toBe("303 /");
    expect(await newest()).toMatchObject({ category: "a", olid: "OL1A" });
  });

  it.each<[string, Fields, string]>([
    ["nothing", {}, "errcode=1&errmsg=No+image+found"],
    ["a forbidden address", { source_url: "http://10.0.0.1/" }, "errcode=2&errmsg=Invalid+URL"],
    ["text", { file: imageFile(Uint8Array.of(120)) }, "errcode=3&errmsg=Invalid+Image"],
  ])("redirects with the error for %s", async (_, fields, told) => {
    const location = `303 https://site.example/bad?a=1&${told}#part`;
    expect(await sendForm({ ...fields, success_url: good, failure_url: bad })).toBe(location);
    expect(await sendForm({ ...fields, success_url: good })).toBe(`303 /?${told}`);
  });

  it("redirects to the referrer by default", async () => {
    const headers = {
      Authorization: `Bearer ${env.COVERS_SECRET}`,
      Referer: "http://carrel.test/books/OL1M",
    };
    const body = multipart({ olid: "OL1M", success_url: "data:text/html,x" });
    expect(await leads(service.fetch("/b/upload", { method: "POST", body, headers }))).toBe(
      "303 http://carrel.test/books/OL1M?errcode=1&errmsg=No+image+found",
    );
  });

  it.each(["//evil.example/", "/\\evil.example", "javascript:alert(1)", "evil.example"])(
    "does not redirect to %s",
    async (success_url) => {
      expect(await sendForm({ file: imageFile(), success_url })).toBe("303 /");
    },
  );

  it("needs a record and the secret", async () => {
    const response = await toStore(service, "/b/upload", { file: imageFile() });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type: "missing", loc: ["body", "olid"] }] });
    const open = await service.fetch("/b/upload", { method: "POST", body: multipart({ olid: "OL1M" }) });
    expect(open.status).toBe(401);
  });
});
