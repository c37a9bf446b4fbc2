import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { COVER_BYTES, checkImage } from "../../../src/worker/covers/check-image.ts";
import { UPLOAD_FORM_BYTES } from "../../../src/worker/covers/form-data.ts";
import { png as pngHeader } from "../../support/covers/images.ts";
import { jpegImage as jpeg, pngImage as png } from "../../support/covers/real-images.ts";
import { account } from "../../support/worker/accounts.ts";
import { basic } from "../../support/worker/basic.ts";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { looking } from "../../support/worker/writing.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0", ILS_HOSTS: "Koha.example other.example:8080" });
const { read, lastChange } = looking(service);
const network = fakeNetwork();
const IMAGE = jpeg(6, 9);
const ILS = "https://koha.example/cgi-bin/back";

type Fields = Record<string, string | Blob>;
const upload = (
  fields: Fields,
  headers: Record<string, string> = basic("cover_library"),
): Promise<Response> => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return service.fetch("/api/ils_cover_upload", { method: "POST", body, headers });
};
const answer = async (fields: Fields, headers?: Record<string, string>): Promise<unknown[]> => {
  const response = await upload(fields, headers);
  return [response.status, await response.json()];
};
const leads = async (fields: Fields): Promise<unknown[]> => {
  const response = await upload(fields);
  return [response.status, response.headers.get("Location")];
};
const file = (bytes = IMAGE): File => new File([bytes], "cover.jpg", { type: "image/jpeg" });
const failed = (reason: string): unknown[] => [400, { status: "error", reason }];
const counts = async (): Promise<number[]> => {
  const { results } = await env.CATALOG.prepare("SELECT id FROM cover").all();
  return [results.length, (await env.COVERS.list()).objects.length];
};

beforeAll(async () => {
  await service.load(
    work(1),
    edition(1, { work: 1, covers: [5, -1] }),
    edition(2, { work: 1 }),
    redirected("/books/OL3M", "/books/OL1M", 1),
  );
  await account(service, "cover_library");
});

describe("POST /api/ils_cover_upload", () => {
  it("stores a file and puts its number first", async () => {
    const photograph = jpeg(400, 600);
    expect(await answer({ olid: "OL1M", file: file(photograph) })).toEqual([200, { status: "ok" }]);
    const { covers } = await read("/books/OL1M");
    const [id] = covers as number[];
    expect(covers).toEqual([id, 5, -1]);
    expect(id).toBeGreaterThan(100_000_000);
    expect(await lastChange()).toMatchObject({
      kind: "add-cover",
      author: { key: "/people/cover_library" },
      comment: `http://carrel.test/b/id/${id}-S.jpg`,
      data: { url: "" },
      changes: [{ key: "/books/OL1M", revision: 2 }],
    });
    expect(await env.CATALOG.prepare("SELECT * FROM cover WHERE id = ?").bind(id).first()).toMatchObject({
      category: "b",
      olid: "OL1M",
      source_url: null,
      author: "/people/cover_library",
      state: "stored",
      content_type: "image/jpeg",
      bytes: photograph.length,
      width: 400,
      height: 600,
    });
    const image = await exports.CoverStore.fetch(`http://covers.test/b/id/${id}-L.jpg`);
    expect(checkImage(new Uint8Array(await image.arrayBuffer()))).toMatchObject({ width: 333, height: 500 });
    expect(await (await service.fetch(`/b/id/${id}.jpg`)).bytes()).toEqual(photograph);
  });

  it("prefers an address of an allowed host over a file", async () => {
    const url = "https://archive.org/services/img/x";
    network.answer({ [url]: () => new Response(png(3, 4)) });
    expect(await answer({ olid: "ol2m", url, file: file() })).toEqual([200, { status: "ok" }]);
    const [id] = (await read("/books/OL2M"))["covers"] as number[];
    expect(network.asked).toEqual([url]);
    expect(await lastChange()).toMatchObject({ kind: "add-cover", data: { url } });
    expect(await env.CATALOG.prepare("SELECT * FROM cover WHERE id = ?").bind(id).first()).toMatchObject({
      source_url: url,
      content_type: "image/png",
      width: 3,
    });
  });

  it.each(["https://", "http://", " "])("ignores the address %j", async (url) => {
    expect(await answer({ olid: "OL2M", url, file: file() })).toEqual([200, { status: "ok" }]);
  });
});

describe("a failed upload", () => {
  it.each([
    [{}, "olid missing"],
    [{ olid: "OL1W" }, "bad olid"],
    [{ olid: "../OL1M" }, "bad olid"],
    [{ olid: "OL999M" }, "bad olid"],
    [{ olid: "OL3M" }, "bad olid"],
  ])("%j: %s, with and without credentials", async (fields: Fields, reason) => {
    expect(await answer({ ...fields, file: file() })).toEqual(failed(reason));
    expect(await answer({ ...fields, file: file() }, {})).toEqual(failed(reason));
  });

  it("leaves nothing behind", async () => {
    const before = [await counts(), (await read("/books/OL2M")).revision];
    network.answer({
      "https://archive.org/missing": () => new Response("no", { status: 404 }),
      "https://archive.org/page": () => new Response("<html>"),
      "https://archive.org/away": () =>
        new Response(null, { status: 302, headers: { Location: "http://10.0.0.1/" } }),
    });
    const uploads: Fields[] = [
      {},
      { file: "text" },
      { file: file(new Uint8Array()) },
      { file: file(Uint8Array.from([60, 115, 118, 103, 47, 62])) },
      { file: file(pngHeader(60, 60)) },
      { url: "https://archive.org/missing" },
      { url: "https://archive.org/page", file: file() },
      { url: "https://archive.org/away" },
      { url: "http://127.0.0.1/" },
      { url: "https://archive.org.example/x" },
      { url: "file:///etc/passwd" },
    ];
    for (const fields of uploads) {
      expect(await answer({ olid: "OL2M", ...fields })).toEqual(failed("upload failed"));
    }
    expect(network.asked.filter((address) => !address.startsWith("https://archive.org/"))).toEqual([]);
    expect([await counts(), (await read("/books/OL2M")).revision]).toEqual(before);
  });

  it("reports a file that is too large", async () => {
    const large = new Uint8Array(COVER_BYTES + UPLOAD_FORM_BYTES);
    large.set(IMAGE);
    expect(await answer({ olid: "OL2M", file: file(large) })).toEqual(failed("upload failed"));
    expect(await answer({ olid: "OL2M", file: file(large.slice(0, COVER_BYTES + 1)) })).toEqual(
      failed("upload failed"),
    );
  });

  it.each(["multipart/form-data", "multipart/form-data; boundary=x", "application/json", ""])(
    "reports a body of type %j without a form",
    async (type) => {
      const headers = { ...basic("cover_library"), "Content-Type": type };
      const response = await service.fetch("/api/ils_cover_upload", {
        method: "POST",
        body: '{"olid":"OL2M"}',
        headers,
      });
      expect([response.status, await response.json()]).toEqual(failed("olid missing"));
    },
  );

  it("answers 401 without valid credentials", async () => {
    const challenge = 'Basic realm="http://carrel.test", charset="UTF-8"';
    for (const [headers, reason] of [
      [{}, "No credentials provided"],
      [basic("cover_library", "wrong"), "Invalid credentials"],
    ] as const) {
      const response = await upload({ olid: "OL2M", file: file(), redirect_url: ILS }, headers);
      expect([response.status, await response.json()]).toEqual([401, { status: "error", reason }]);
      expect(response.headers.get("WWW-Authenticate")).toBe(challenge);
    }
  });

  it("checks the credentials before it buffers a large image", async () => {
    const large = file(new Uint8Array(UPLOAD_FORM_BYTES + 1));
    expect(await answer({ olid: "OL1W", file: large }, {})).toEqual([
      401,
      { status: "error", reason: "No credentials provided" },
    ]);
    expect(await answer({ olid: "OL1W", file: large })).toEqual(failed("bad olid"));
  });

  it("answers 403 for a protected edition before it fetches the image", async () => {
    await service.load(
      { key: "/permission/locked", type: "/type/permission", writers: [{ key: "/usergroup/keepers" }] },
      { ...edition(4, { work: 1 }), permission: { key: "/permission/locked" } },
    );
    const before = await counts();
    const url = "https://archive.org/services/img/locked";
    network.answer({ [url]: () => new Response(IMAGE) });
    const reason = "Permission denied to modify '/books/OL4M'";
    expect(await answer({ olid: "OL4M", url })).toEqual([403, { status: "error", reason }]);
    expect(await leads({ olid: "OL4M", url, redirect_url: ILS })).toEqual([
      303,
      `${ILS}?${new URLSearchParams({ status: "error", reason }).toString()}`,
    ]);
    expect([network.asked, await counts()]).toEqual([[], before]);
  });
});

describe("an upload from a page of", () => {
  const sent = async (headers: Record<string, string>): Promise<number> => {
    const response = await upload({ olid: "OL2M", file: file() }, { ...basic("cover_library"), ...headers });
    await response.body?.cancel();
    return response.status;
  };

  it.each([
    ["another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }, 403],
    ["another site, in an old browser", { Origin: "https://evil.example" }, 403],
    ["one that hides itself", { Origin: "null", "Sec-Fetch-Site": "cross-site" }, 403],
    ["the library system", { Origin: "https://koha.example", "Sec-Fetch-Site": "cross-site" }, 200],
    ["this service", { Origin: "http://carrel.test", "Sec-Fetch-Site": "same-origin" }, 200],
  ])("%s", async (_, headers, status) => {
    const before = (await read("/books/OL2M")).revision;
    expect(await sent(headers)).toBe(status);
    expect((await read("/books/OL2M")).revision).toBe(before + (status === 200 ? 1 : 0));
  });
});

describe("redirect_url", () => {
  it.each([
    [ILS, `${ILS}?status=ok`],
    ["http://KOHA.example/x?a=b%20c", "http://koha.example/x?a=b%20c&status=ok"],
    ["https://other.example:8080/x?y#part", "https://other.example:8080/x?y&status=ok#part"],
  ])("%s leads back to %s", async (redirect_url, location) => {
    expect(await leads({ olid: "OL2M", file: file(), redirect_url })).toEqual([303, location]);
  });

  it("reports the failure in the redirect", async () => {
    expect(await leads({ redirect_url: ILS })).toEqual([303, `${ILS}?status=error&reason=olid+missing`]);
    expect(await leads({ olid: "OL9M", redirect_url: `${ILS}?a` })).toEqual([
      303,
      `${ILS}?a&status=error&reason=bad+olid`,
    ]);
    expect(await leads({ olid: "OL2M", redirect_url: ILS })).toEqual([
      303,
      `${ILS}?status=error&reason=upload+failed`,
    ]);
  });

  it.each([
    "https://evil.example/",
    "https://koha.example.evil.example/",
    "https://koha.example:8443/",
    "https://koha.example@evil.example/",
    "javascript:alert(1)//koha.example",
    "/account",
  ])("ignores %s and answers JSON", async (redirect_url) => {
    expect(await answer({ olid: "OL9M", redirect_url })).toEqual(failed("bad olid"));
  });
});

describe("concurrent uploads", () => {
  it("add all covers with numbers of their own", async () => {
    await service.load(edition(20, { work: 1, covers: [1] }));
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => answer({ olid: "OL20M", file: file(png(index + 1, 1)) })),
    );
    expect(answers).toEqual(Array.from({ length: 6 }, () => [200, { status: "ok" }]));
    const covers = (await read("/books/OL20M"))["covers"] as number[];
    expect([covers.length, new Set(covers).size, covers.at(-1)]).toEqual([7, 7, 1]);
  });
});

it("answers 500 without changing the edition when the store fails", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const broken = testService({
    COVERS: { put: () => Promise.reject(new Error("no bucket")) } as unknown as R2Bucket,
  });
  const { revision } = await read("/books/OL2M");
  const body = new FormData();
  body.append("olid", "OL2M");
  body.append("file", file());
  const response = await broken.fetch("/api/ils_cover_upload", {
    method: "POST",
    body,
    headers: basic("cover_library"),
  });
  expect(response.status).toBe(500);
  expect((await read("/books/OL2M")).revision).toBe(revision);
  vi.restoreAllMocks();
});
