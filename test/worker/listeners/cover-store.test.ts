import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";

const call = (path: string, init?: RequestInit): Promise<Response> =>
  exports.CoverStore.fetch(`http://covers.test${path}`, init);
const IMAGE = new Uint8Array([0xff, 0xd8, 0xff, 7]);
const BLANK = "47494638396101000100f00000000000ffffff21f90405000000002c00000000010001000002024401003b";

beforeAll(async () => {
  await env.COVERS.put("7-S.jpg", IMAGE);
});

describe("the cover store's listener", () => {
  it.each(["/b/id/7-S.jpg", "/a/id/7-S.jpg", "/w/id/7-S.jpg"])(
    "%s is the image, whatever the category",
    async (path) => {
      const response = await call(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("image/jpeg");
      expect(response.headers.get("ETag")).toMatch(/^".+"$/);
      expect(response.headers.get("Cache-Control")).toMatch(/^public/);
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(await response.bytes()).toEqual(IMAGE);
    },
  );

  it.each(["/b/id/8-S.jpg", "/b/id/7-L.jpg", "/b/id/8-S.jpg?default=true", "/b/id/999999999999999-M.jpg"])(
    "%s is a blank pixel, as there is no such image",
    async (path) => {
      const response = await call(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("image/gif");
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=600");
      expect((await response.bytes()).toHex()).toBe(BLANK);
    },
  );

  it("says so when a blank pixel is not wanted", async () => {
    expect((await call("/b/id/8-S.jpg?default=false")).status).toBe(404);
    expect((await call("/b/id/7-S.jpg?default=false")).status).toBe(200);
  });

  it.each([
    "/b/id/7-s.jpg",
    "/b/id/7-X.jpg",
    "/b/id/x-S.jpg",
    "/x/id/7-S.jpg",
    "/b/id/..%2f7-S.jpg",
    "/nothing",
  ])("%s: 404", async (path) => {
    expect((await call(path)).status).toBe(404);
  });

  it("answers HEAD without a body, and nothing but reading", async () => {
    const head = await call("/b/id/7-S.jpg", { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([
      200,
      "image/jpeg",
      "",
    ]);
    const post = await call("/b/upload2", { method: "POST", body: "x" });
    expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    expect(await (await call("/")).json()).toEqual({ service: "cover store" });
  });
});
