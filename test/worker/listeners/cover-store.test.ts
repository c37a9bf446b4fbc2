import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import { checkImage } from "../../../src/worker/covers/check-image.ts";
import {
  storeFetched,
  originalName,
  putOriginal,
  renditionName,
} from "../../../src/worker/covers/store-cover.ts";
import { jpegImage, lossyChunk, pngImage, webpOf } from "../../support/covers/real-images.ts";
import { testService } from "../../support/worker/service.ts";
import { english } from "../../../src/catalog/texts.ts";

const call = (path: string, init?: RequestInit): Promise<Response> =>
  exports.CoverStore.fetch(`http://covers.test${path}`, { redirect: "manual", ...init });
const service = testService();
const IMAGE = jpegImage(600, 900);
const WEBP = webpOf(lossyChunk(20, 30));
const BLANK = "47494638396101000100f00000000000ffffff21f90405000000002c00000000010001000002024401003b";

const checked = (bytes: Uint8Array<ArrayBuffer>) => {
  const image = checkImage(bytes);
  if ("key" in image) throw new Error(english(image));
  return image;
};

beforeAll(async () => {
  await storeFetched(storesOf(env), 7, checked(IMAGE));
  await storeFetched(storesOf(env), 8, checked(WEBP));
  // As covers were stored before there were smaller sizes.
  await putOriginal(env.COVERS, 6, checked(IMAGE));
});

describe("putOriginal", () => {
  it("keeps the first image and describes it to later writers", async () => {
    const described = { contentType: "image/jpeg", bytes: IMAGE.length, width: 600, height: 900 };
    expect(await putOriginal(env.COVERS, 9, checked(IMAGE))).toEqual({ ...described, isNew: true });
    expect(await storeFetched(storesOf(env), 9, checked(pngImage(1, 2)))).toEqual(described);
    const stored = await env.COVERS.get(originalName(9));
    expect(stored?.key).toBe("covers/0000000009/o");
    expect(await stored?.bytes()).toEqual(IMAGE);
    // The smaller sizes are of the image that is there.
    const large = await env.COVERS.get(renditionName(9, "L"));
    expect(checked(new Uint8Array((await large?.arrayBuffer()) ?? []))).toMatchObject({
      width: 333,
      height: 500,
    });
  });
});

/** The size of the image in an answer. */
async function sizeOf(response: Response): Promise<string> {
  const { width, height } = checked(new Uint8Array(await response.arrayBuffer()));
  return `${width}x${height}`;
}

describe("the cover store's listener", () => {
  it.each([
    ["/b/id/7-S.jpg", "38x58"],
    ["/a/id/7-M.jpg", "180x270"],
    ["/b/id/7.jpg", "600x900"],
  ])("%s serves the image for every category", async (path, size) => {
    const response = await call(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("image/jpeg");
    expect(response.headers.get("Last-Modified")).toMatch(/GMT$/);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(await sizeOf(response)).toBe(size);
  });

  it("sends the content type of the image regardless of its extension", async () => {
    const response = await call("/b/id/8.jpg");
    expect(response.headers.get("Content-Type")).toBe("image/webp");
    expect(await response.bytes()).toEqual(WEBP);
  });

  it.each([
    ["/b/id/7.jpg", '"7-"'],
    ["/b/id/7-S.jpg", '"7-s"'],
    ["/a/id/7-L.jpg", '"7-l"'],
  ])("%s is cacheable forever", async (path, etag) => {
    const response = await call(path);
    expect(response.headers.get("ETag")).toBe(etag);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    const years = (Date.parse(response.headers.get("Expires") ?? "") - Date.now()) / (365.25 * 86_400_000);
    expect(Math.round(years)).toBe(100);
    await response.body?.cancel();
  });

  it("Q385: caches the original for minutes while a rendition is missing", async () => {
    const response = await call("/b/id/6-S.jpg");
    expect(response.headers.get("ETag")).toMatch(/^"[0-9a-f]{32}"$/);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=600");
    expect(await response.bytes()).toEqual(IMAGE);
    const known = await call("/b/id/6-S.jpg", {
      headers: { "If-None-Match": response.headers.get("ETag") ?? "" },
    });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const original = await call("/b/id/6.jpg");
    expect(original.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    await original.body?.cancel();
  });

  it.each(["/b/id/7.jpg", "/b/id/7-L.jpg"])("%s answers 304 to conditional requests", async (path) => {
    const first = await call(path);
    await first.body?.cancel();
    for (const [header, from] of [
      ["If-None-Match", "ETag"],
      ["If-Modified-Since", "Last-Modified"],
    ] as const) {
      const known = await call(path, { headers: { [header]: first.headers.get(from) ?? "" } });
      expect([known.status, await known.text()]).toEqual([304, ""]);
      expect(known.headers.get("ETag")).toBe(first.headers.get("ETag"));
      expect(known.headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
    const other = await call(path, { headers: { "If-None-Match": '"8-"' } });
    expect([other.status, await sizeOf(other)]).toEqual([
      200,
      path === "/b/id/7.jpg" ? "600x900" : "333x500",
    ]);
  });

  it.each([
    "/b/id/70.jpg",
    "/b/id/70-S.jpg?default=true",
    "/b/id/999999999999999-M.jpg",
    "/b/id/-1-M.jpg",
    "/b/id/0-S.jpg",
    "/b/id/..%2f7-S.jpg",
  ])("%s serves a blank pixel, or 404 with default=false", async (path) => {
    const response = await call(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("image/gif");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=600");
    expect((await response.bytes()).toHex()).toBe(BLANK);
    expect((await call(`${path.split("?")[0]}?default=false`)).status).toBe(404);
  });

  it.each(["/b/id/7-X.jpg", "/b/id/7-S.png", "/x/id/7-S.jpg", "/b/id/7.jpg/", "/nothing"])(
    "answers 404 for %s",
    async (path) => {
      expect((await call(path)).status).toBe(404);
    },
  );

  it("answers HEAD without a body and refuses POST", async () => {
    const head = await call("/b/id/7-S.jpg", { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([
      200,
      "image/jpeg",
      "",
    ]);
    const post = await call("/b/id/7.jpg", { method: "POST", body: "x" });
    expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await (await call("/")).json()).toEqual({ service: "cover store" });
  });

  it("serves a page and robots.txt", async () => {
    const page = await call("/", { headers: { Accept: "text/html" } });
    expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const text = await page.text();
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).toContain("/b/isbn/9780140328721-M.jpg");
    const robots = await call("/robots.txt");
    expect(await robots.text()).toMatch(/^User-agent: \*\nCrawl-delay: 5\n$/);
    expect(robots.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });
});

describe("Q386: cover addresses of the main site", () => {
  it.each(["/b/id/7-M.jpg", "/a/id/7.jpg", "/w/id/7-S.jpg", "/covers/b/id/7-M.jpg"])(
    "%s serves the image",
    async (path) => {
      const response = await service.fetch(path);
      expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
      expect(await response.bytes()).toEqual(await (await call(path.replace("/covers", ""))).bytes());
      const etag = response.headers.get("ETag") ?? "";
      const known = await service.fetch(path, { headers: { "If-None-Match": etag } });
      expect([known.status, await known.text()]).toEqual([304, ""]);
      const head = await service.fetch(path, { method: "HEAD" });
      expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, etag, ""]);
    },
  );
});
