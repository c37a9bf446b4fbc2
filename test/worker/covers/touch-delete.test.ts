import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  COVER_REMOVAL_AGAIN_MS,
  REMOVAL_RETRY_MS,
  continueCoverRemovals,
  deletedName,
} from "../../../src/worker/covers/remove.ts";
import { systemSources } from "../../../src/worker/http/bindings.ts";
import { jobsOf } from "../../../src/worker/http/queue.ts";
import { pngImage } from "../../support/covers/real-images.ts";
import {
  type Fields,
  coverLog,
  coverObjects,
  coverRow,
  storedCover,
  toStore,
} from "../../support/worker/cover-store.ts";
import { testService } from "../../support/worker/service.ts";
import { leads } from "../../support/worker/writing.ts";

const service = testService();
const listener = {
  fetch: (path: string, init?: RequestInit) => exports.CoverStore.fetch(`http://covers.test${path}`, init),
};
const send = (path: string, fields: Fields) => leads(toStore(service, path, fields));
const shown = async (id: number): Promise<number[]> =>
  Promise.all(
    ["", "-S", "-M", "-L"].map(async (size) => {
      const response = await service.fetch(`/b/id/${id}${size}.jpg?default=false`);
      await response.body?.cancel();
      return response.status;
    }),
  );
const sweep = (bindings: Partial<Cloudflare.Env> = {}, now = service.now) => {
  const all = { ...env, ...bindings };
  const sources = { ...systemSources, now: () => now };
  return continueCoverRemovals({ ...jobsOf(all), sources });
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe("POST /b/touch", () => {
  it("redirects to the given page, or to the referrer", async () => {
    const id = String(await storedCover(service));
    expect(await send("/b/touch", { id, redirect_url: "https://site.example/x?y#z" })).toBe(
      "303 https://site.example/x?y#z",
    );
    expect(await send("/b/touch", { id, redirect_url: "/books/OL1M" })).toBe("303 /books/OL1M");
    const headers = { Authorization: `Bearer ${env.COVERS_SECRET}`, Referer: "https://site.example/before" };
    const body = new URLSearchParams({ id, redirect_url: "javascript:alert(1)" });
    expect(await leads(service.fetch("/b/touch", { method: "POST", body, headers }))).toBe(
      "303 https://site.example/before",
    );
    expect(await coverLog(Number(id))).toHaveLength(4);
  });

  it.each(["999", "x", "", "-1", "1.5", "9999999999999999999"])(
    "reports the unknown cover %j",
    async (id) => {
      expect(await send("/b/touch", { id, redirect_url: "/x" })).toBe(`200 no such id: ${id}`);
      expect(await send("/b/delete", { id, redirect_url: "/x" })).toBe(`200 no such id: ${id}`);
    },
  );

  it("does not touch a deleted cover", async () => {
    const id = await storedCover(service);
    await send("/b/delete", { id: String(id) });
    const before = [await coverRow(id), await coverLog(id)];
    expect(await send("/b/touch", { id: String(id) })).toBe(`200 no such id: ${id}`);
    expect([await coverRow(id), await coverLog(id)]).toEqual(before);
  });
});

describe("POST /b/delete", () => {
  it("hides a cover in all sizes and lists, and archives its image", async () => {
    const image = pngImage(20, 10);
    const id = await storedCover(service, { olid: "OL1M", data: new File([image], "x.png") });
    expect(await shown(id)).toEqual([200, 200, 200, 200]);
    service.now += 1000;
    expect(await send("/b/delete", { id: String(id) })).toBe("200 cover has been deleted successfully.");
    expect(await shown(id)).toEqual([404, 404, 404, 404]);
    expect((await listener.fetch(`/b/id/${id}.jpg?default=false`)).status).toBe(404);
    expect(await service.json("/b/query?olid=OL1M")).toEqual([]);
    expect(await coverObjects(`covers/0${id}`)).toEqual([]);
    const kept = await env.COVERS.get(deletedName(id));
    expect([kept?.key, kept?.httpMetadata?.contentType]).toEqual([`deleted/0${id}/o`, "image/png"]);
    expect(kept?.customMetadata).toMatchObject({ width: "20", height: "10" });
    expect(await kept?.bytes()).toEqual(image);
    expect(await coverRow(id)).toMatchObject({ state: "stored", deleted: "2026-11-21T12:00:01.000000" });
  });

  it("is idempotent", async () => {
    const id = await storedCover(service);
    for (let time = 0; time < 2; time += 1) {
      expect(await send("/w/delete", { id: `${id}` })).toBe("200 cover has been deleted successfully.");
    }
    const log = (await coverLog(id)) as [string][];
    expect(log.map(([action]) => action)).toEqual(["new", "delete"]);
    expect(await coverObjects(`deleted/0${id}`)).toEqual([deletedName(id)]);
    expect(await send("/b/delete", { id: String(id), redirect_url: "/next" })).toBe("303 /next");
  });

  it("cancels a pending fetch", async () => {
    await env.CATALOG.prepare(
      `INSERT INTO cover (id, category, olid, source_url, state, due, created, updated)
       VALUES (555, 'b', 'OL1M', 'https://archive.org/x', 'pending', '2026-01-01', '2026-01-01', '2026-01-01')`,
    ).run();
    expect(await send("/b/delete", { id: "555" })).toBe("200 cover has been deleted successfully.");
    expect(await coverRow(555)).toMatchObject({ state: "failed", problem: "deleted", due: null });
  });
});

describe("continueCoverRemovals", () => {
  const broken = (method: "put" | "delete") => {
    const failing = vi.fn(() => Promise.reject(new Error("no bucket")));
    const bucket = new Proxy(env.COVERS, {
      get: (target, name) => (name === method ? failing : Reflect.get(target, name).bind(target)),
    });
    return { COVERS: bucket };
  };

  it.each(["put", "delete"] as const)("finishes a deletion that failed at %s", async (method) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const id = await storedCover(service);
    const failing = Object.assign(testService(broken(method)), { now: service.now });
    const failed = await toStore(failing, "/b/delete", { id: String(id) });
    expect(failed.status).toBe(500);
    expect(await coverRow(id)).toMatchObject({ deleted: expect.any(String) });
    expect(await coverObjects(`covers/0${id}`)).not.toEqual([]);

    const due = service.now + COVER_REMOVAL_AGAIN_MS;
    await sweep({}, due - 1000);
    expect(await coverObjects(`covers/0${id}`)).not.toEqual([]);
    await sweep(broken(method), due);
    expect((await coverRow(id))?.["removal_due"]).not.toBeNull();
    await sweep({}, due + REMOVAL_RETRY_MS);
    expect([await coverObjects(`covers/0${id}`), await coverObjects(`deleted/0${id}`)]).toEqual([
      [],
      [deletedName(id)],
    ]);
    expect(await coverRow(id)).toMatchObject({ removal_due: null });
  });

  it("removes renditions made during the deletion", async () => {
    const id = await storedCover(service);
    await send("/b/delete", { id: String(id) });
    await env.COVERS.put(`covers/0${id}/S.jpg`, "late");
    await sweep({}, service.now + COVER_REMOVAL_AGAIN_MS);
    expect(await coverObjects(`covers/0${id}`)).toEqual([]);
    expect(await coverObjects(`deleted/0${id}`)).toEqual([deletedName(id)]);
  });
});
