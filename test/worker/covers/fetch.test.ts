// Images that imports name: fetched, stored, tried again, and given up.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { insertPendingCover } from "../../../src/db/covers/write-covers.ts";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import { prepare } from "../../../src/db/statement.ts";
import { storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { COVER_BYTES, COVER_SIDE_MAX, checkImage } from "../../../src/worker/covers/check-image.ts";
import { originalName } from "../../../src/worker/covers/store-cover.ts";
import {
  COVER_ATTEMPTS,
  COVER_CLAIM_SECONDS,
  fetchCover,
  COVER_IDLE_MS,
  continueCovers,
} from "../../../src/worker/covers/jobs.ts";
import { COVER_FETCH_MS, fetchImage } from "../../../src/worker/covers/source-image.ts";
import type { Jobs } from "../../../src/worker/http/queue.ts";
import { png as pngHeader } from "../../support/covers/images.ts";
import { jpegImage as jpeg, pngImage as png } from "../../support/covers/real-images.ts";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { settleImports } from "../../support/worker/queues.ts";
import { deleted, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { looking } from "../../support/worker/writing.ts";

const service = testService();
const { read, lastChange } = looking(service);
const network = fakeNetwork();
const HOST = "https://archive.org";
const IMAGE = jpeg(200, 300);
const HALF_IMAGE = IMAGE.slice(0, IMAGE.length >> 1);
let now = Date.parse("2026-11-21T12:00:00Z");
let covers = 500;
const stores = storesOf(env);
const jobs: Jobs = { stores, settings: settingsOf(env), sources: { ...systemSources, now: () => now } };
const image = (bytes = IMAGE): Response => new Response(bytes, { headers: { "Content-Type": "text/plain" } });
const leading = (to: string): Response => new Response(null, { status: 302, headers: { Location: to } });
const row = async (id: number): Promise<Record<string, unknown>> =>
  (await env.CATALOG.prepare("SELECT * FROM cover WHERE id = ?").bind(id).first()) ?? {};

/** Makes an edition and a work that show a cover which is still to be fetched. */
async function pending(address: string, at = now): Promise<number> {
  const id = (covers += 1);
  await service.load(work(id, { covers: [id, 3] }), edition(id, { work: id, covers: [id] }));
  const cover = { id, olid: `OL${id}M`, sourceUrl: address, author: "/people/ImportBot", ip: null };
  await prepare(env.CATALOG, insertPendingCover({ ...cover, now: formatDatetime(at) })).run();
  return id;
}

const shown = async (id: number): Promise<unknown[]> => [
  (await read(`/books/OL${id}M`))["covers"],
  (await read(`/works/OL${id}W`))["covers"],
];

/** Numbers that are to be fetched again, and after how many seconds. */
function watchQueue(queue = env.COVER_JOBS): { cover: number; delay: number | undefined }[] {
  const sent: ReturnType<typeof watchQueue> = [];
  vi.spyOn(queue, "send").mockImplementation((body, options) => queue.sendBatch([{ body }], options));
  vi.spyOn(queue, "sendBatch").mockImplementation(async (messages, options) => {
    for (const { body } of messages) sent.push({ cover: Object(body).cover, delay: options?.delaySeconds });
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  });
  return sent;
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("fetchCover", () => {
  it("is fetched and stored, once", async () => {
    const address = `${HOST}/services/img/a`;
    network.answer({ [address]: () => image() });
    const id = await pending(address);
    await Promise.all([fetchCover(id, jobs), fetchCover(id, jobs)]);
    await fetchCover(id, jobs);
    expect(network.asked).toEqual([address]);
    expect(await row(id)).toMatchObject({
      state: "stored",
      content_type: "image/jpeg",
      bytes: IMAGE.length,
      width: 200,
      height: 300,
      renditions: "made",
      attempts: 1,
      due: null,
      problem: null,
      author: "/people/ImportBot",
    });
    expect(await (await env.COVERS.get(originalName(id)))?.bytes()).toEqual(IMAGE);
    expect(await shown(id)).toEqual([[id], [id, 3]]);
  });

  it("does not store an image again after a crash", async () => {
    const address = `${HOST}/services/img/changed`;
    network.answer({ [address]: () => image() });
    const id = await pending(address);
    await fetchCover(id, jobs);
    await env.CATALOG.prepare("UPDATE cover SET state = 'pending', due = updated WHERE id = ?")
      .bind(id)
      .run();
    network.answer({ [address]: () => image(png(1, 2)) });
    now += COVER_CLAIM_SECONDS * 1000;
    await fetchCover(id, jobs);
    expect(await row(id)).toMatchObject({ state: "stored", content_type: "image/jpeg", width: 200 });
  });

  it("is called by queue messages, and skips malformed ones", async () => {
    const address = `${HOST}/services/img/queued`;
    network.answer({ [address]: () => image() });
    const id = await pending(address, Date.now() - 1000);
    await env.COVER_JOBS.sendBatch([
      { body: { cover: "7" } },
      { body: { cover: id } },
      { body: { cover: -1 } },
    ]);
    await settleImports();
    expect(await row(id)).toMatchObject({ state: "stored" });
  });

  it("stores the cover of an import", async () => {
    const address = `${HOST}/services/img/imported`;
    network.answer({ [address]: () => image() });
    service.now = Date.now() - 1000;
    const importer = await loggedIn(service, "cover_importer", { groups: ["api"] });
    const record = {
      title: "A book with a cover",
      source_records: ["partner:1"],
      isbn_13: ["9780306406157"],
      cover: address,
    };
    const response = await importer.fetch("/api/import", { method: "POST", body: JSON.stringify(record) });
    const { edition: made, work: of } = await response.json<Record<string, { key: string }>>();
    await settleImports();
    const [id] = (await read(made?.key ?? ""))["covers"] as number[];
    expect((await read(of?.key ?? ""))["covers"]).toEqual([id]);
    expect(await row(id ?? 0)).toMatchObject({
      state: "stored",
      olid: made?.key.slice("/books/".length),
      source_url: address,
      author: "/people/cover_importer",
    });
    const shownImage = await service.fetch(`/b/id/${id}-M.jpg`);
    expect(checkImage(new Uint8Array(await shownImage.arrayBuffer()))).toMatchObject({
      width: 180,
      height: 270,
    });
  });

  it("is resumed for idle covers by the scheduled task", async () => {
    const address = `${HOST}/services/img/lost`;
    const id = await pending(address);
    const sent = watchQueue();
    now += COVER_IDLE_MS - 1000;
    await continueCovers(jobs);
    expect(sent.map(({ cover }) => cover)).not.toContain(id);
    now += 1000;
    await continueCovers(jobs);
    expect(sent).toContainEqual({ cover: id, delay: 0 });
  });

  it("follows redirects within the allowed hosts only", async () => {
    network.answer({
      [`${HOST}/a`]: () => leading("/b"),
      [`${HOST}/b`]: () => leading("https://books.google.com/c"),
      "https://books.google.com/c": () => leading("//books.google.com/d"),
      "https://books.google.com/d": () => image(),
      [`${HOST}/long`]: () => leading("/a"),
      [`${HOST}/off`]: () => leading("http://169.254.169.254/latest"),
      [`${HOST}/port`]: () => leading("https://archive.org:22/"),
      [`${HOST}/below`]: () => leading("https://dn1.archive.org/"),
      [`${HOST}/plain`]: () => leading("http://archive.org/"),
      [`${HOST}/named`]: () => leading("https://user@archive.org/"),
      [`${HOST}/nowhere`]: () => new Response(null, { status: 302 }),
    });
    const fetched = async (path: string): Promise<unknown> =>
      fetchImage(HOST + path, { hosts: ["archive.org", "books.google.com"], stores });
    expect(await fetched("/a")).toMatchObject({ ok: true, image: { width: 200 } });
    expect(await fetched("/long")).toMatchObject({ ok: false, isFinal: true });
    network.asked.length = 0;
    const paths = ["/off", "/port", "/below", "/plain", "/named"];
    for (const path of paths) {
      expect(await fetched(path)).toEqual({
        ok: false,
        problem: "redirected to another host",
        isFinal: true,
      });
    }
    expect(network.asked).toEqual(paths.map((path) => HOST + path));
    expect(await fetched("/nowhere")).toMatchObject({ problem: "the server answered 302", isFinal: true });
    expect(await fetchImage("https://archive.org.evil/", { hosts: ["archive.org"], stores })).toMatchObject({
      isFinal: true,
    });
  });

  it("stops reading at the largest size", async () => {
    let chunks = 0;
    const endless = new ReadableStream({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    network.answer({ [`${HOST}/endless`]: () => new Response(endless) });
    expect(await fetchImage(`${HOST}/endless`, { hosts: ["archive.org"], stores })).toEqual({
      ok: false,
      problem: `an answer of more than ${COVER_BYTES} bytes`,
      isFinal: true,
    });
    expect(chunks).toBeLessThan(14);
  });

  it("times out", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
    network.answer({ [`${HOST}/late`]: ({ signal }) => Promise.reject(Object(signal).reason) });
    expect(await fetchImage(`${HOST}/late`, { hosts: ["archive.org"], stores })).toEqual({
      ok: false,
      problem: `no answer within ${COVER_FETCH_MS} ms`,
      isFinal: false,
    });
    expect(timeout).toHaveBeenCalledWith(COVER_FETCH_MS);
  });
});

describe("fetchCover: temporary failures", () => {
  it.each([500, 503, 429, 408])("retries after %i", async (status) => {
    const address = `${HOST}/services/img/${status}`;
    network.answer({ [address]: () => new Response("busy", { status }) });
    const id = await pending(address);
    const sent = watchQueue();
    await fetchCover(id, jobs);
    expect(await row(id)).toMatchObject({
      state: "pending",
      problem: `the server answered ${status}`,
      attempts: 1,
    });
    expect(sent).toEqual([{ cover: id, delay: 3 }]);
    // Too early.
    await fetchCover(id, jobs);
    expect(network.asked).toEqual([address]);
    now += 2000;
    network.answer({ [address]: () => image() });
    await fetchCover(id, jobs);
    expect(await row(id)).toMatchObject({ state: "stored", problem: null, attempts: 2 });
  });

  it("retries when a large image could not be resized", async () => {
    const address = `${HOST}/services/img/large`;
    network.answer({ [address]: () => image(png(2700, 2600)) });
    const id = await pending(address);
    const sent = watchQueue();
    const full = { output: () => Promise.reject(new Error("The limit is reached")) };
    const images = { input: () => ({ transform: () => full }) } as unknown as ImagesBinding;
    expect(await fetchCover(id, { ...jobs, stores: { ...stores, images } })).toBe(true);
    expect(await row(id)).toMatchObject({ state: "pending", problem: expect.stringContaining("Try again") });
    expect(sent).toEqual([{ cover: id, delay: 3 }]);
    now += 2000;
    await fetchCover(id, jobs);
    expect(await row(id)).toMatchObject({ state: "stored", width: 2700, problem: null, attempts: 2 });
  });

  it("gives up after ten attempts with doubled delays", async () => {
    network.answer({});
    const id = await pending(`${HOST}/services/img/down`);
    const sent = watchQueue();
    for (let attempt = 1; attempt <= COVER_ATTEMPTS; attempt += 1) {
      await fetchCover(id, jobs);
      now += (sent.at(-1)?.delay ?? 0) * 1000;
    }
    expect(sent.map(({ delay }) => delay)).toEqual([3, 5, 9, 17, 33, 65, 129, 257, 513]);
    expect(network.asked).toHaveLength(COVER_ATTEMPTS);
    expect(await row(id)).toMatchObject({
      state: "failed",
      problem: "no answer: TypeError: Network connection lost.",
      due: null,
    });
    expect(await shown(id)).toEqual([undefined, [3]]);
  });
});

describe("fetchCover: permanent failures", () => {
  it.each([
    ["404", () => new Response("no", { status: 404 }), "the server answered 404"],
    ["a page", () => new Response("<html>"), "Not a valid image file"],
    [
      "an image of too many pixels",
      () => image(pngHeader(60_000, 60_000)),
      `The image has 60000 × 60000 pixels, more than ${COVER_SIDE_MAX} on one side`,
    ],
    ["an image that breaks off", () => image(HALF_IMAGE), "the image cannot be unpacked"],
  ])("removes the cover from edition and work after %s", async (name, answer, problem) => {
    const address = `${HOST}/services/img/${encodeURIComponent(name)}`;
    network.answer({ [address]: answer });
    const id = await pending(address);
    await fetchCover(id, jobs);
    expect(await row(id)).toMatchObject({ state: "failed", problem, attempts: COVER_ATTEMPTS, due: null });
    expect(await shown(id)).toEqual([undefined, [3]]);
    expect(await lastChange()).toMatchObject({
      kind: "update-book-covers",
      author: null,
      comment: `Cover ${id} could not be fetched: ${problem}`,
      changes: [
        { key: `/books/OL${id}M`, revision: 2 },
        { key: `/works/OL${id}W`, revision: 2 },
      ],
    });
    expect(await env.COVERS.head(originalName(id))).toBeNull();
    now += 3_600_000;
    await fetchCover(id, jobs);
    expect(network.asked).toEqual([address]);
  });

  it("refuses a host that is no longer allowed", async () => {
    network.answer({});
    const id = await pending("https://www.archive.org/x");
    await fetchCover(id, jobs);
    expect(await row(id)).toMatchObject({ state: "failed", problem: "images are not taken from there" });
    expect(network.asked).toEqual([]);
  });

  it("leaves records that no longer show the cover", async () => {
    network.answer({});
    const id = await pending("https://www.archive.org/x");
    await service.load({ ...edition(id, { covers: [8] }), revision: 2 });
    await fetchCover(id, jobs);
    expect(await row(id)).toMatchObject({ state: "failed" });
    expect((await read(`/books/OL${id}M`)).revision).toBe(2);
    const lone = (covers += 1);
    const cover = {
      id: lone,
      olid: "OL999999M",
      sourceUrl: "https://www.archive.org/x",
      author: null,
      ip: null,
    };
    await prepare(env.CATALOG, insertPendingCover({ ...cover, now: formatDatetime(now) })).run();
    await fetchCover(lone, jobs);
    expect(await row(lone)).toMatchObject({ state: "failed" });
  });

  it("finishes after a crash without another request", async () => {
    const address = `${HOST}/services/img/gone`;
    network.answer({ [address]: () => new Response("no", { status: 410 }) });
    const id = await pending(address);
    const setReadOnly = (value: "on" | "off"): Promise<unknown> =>
      setServiceState(env.CATALOG, { value, changed: formatDatetime(now), by: null });
    await setReadOnly("on");
    await expect(fetchCover(id, jobs)).rejects.toThrow("read-only");
    expect(await row(id)).toMatchObject({ state: "pending", attempts: COVER_ATTEMPTS });
    expect(await shown(id)).toEqual([[id], [id, 3]]);
    await setReadOnly("off");
    now += COVER_CLAIM_SECONDS * 1000;
    await fetchCover(id, jobs);
    expect(network.asked).toEqual([address]);
    expect(await row(id)).toMatchObject({ state: "failed", problem: "the server answered 410" });
    expect(await shown(id)).toEqual([undefined, [3]]);
  });

  it("removes the cover from the edition's former work, and for a deleted edition", async () => {
    network.answer({});
    const id = await pending("https://www.archive.org/moved");
    const other = (covers += 1);
    await service.load(work(other, { covers: [id] }));
    await service.load({ ...edition(id, { work: other, covers: [id] }), revision: 2 });
    await service.load(deleted(`/books/OL${id}M`, 3));
    await fetchCover(id, jobs);
    expect((await read(`/works/OL${id}W`))["covers"]).toEqual([3]);
    expect((await read(`/works/OL${other}W`))["covers"]).toBeUndefined();
    expect(await row(id)).toMatchObject({ state: "failed" });
  });

  it("ends when the desk refuses the records", async () => {
    network.answer({});
    const id = await pending("https://www.archive.org/refused");
    const failures = [{ status: 413, error: "too_large", text: { key: "too_large.response" } }];
    const desk = { getByName: () => ({ save: () => Promise.resolve({ ok: false, failures }) }) };
    const editDesk = desk as unknown as typeof jobs.stores.editDesk;
    await fetchCover(id, { ...jobs, stores: { ...jobs.stores, editDesk } });
    expect(await row(id)).toMatchObject({ state: "failed", problem: "images are not taken from there" });
    expect(await shown(id)).toEqual([[id], [id, 3]]);
  });

  it("keeps all edits of a work shared by concurrent covers", async () => {
    network.answer({});
    const first = await pending("https://www.archive.org/1");
    const others = [1, 2, 3, 4].map(() => (covers += 1));
    await service.load({ ...work(first, { covers: [first, ...others, 3] }), revision: 2 });
    for (const id of others) {
      await service.load(edition(id, { work: first, covers: [id] }));
      const cover = { id, olid: `OL${id}M`, sourceUrl: "https://www.archive.org/1", author: null, ip: null };
      await prepare(env.CATALOG, insertPendingCover({ ...cover, now: formatDatetime(now) })).run();
    }
    await Promise.all([first, ...others].map((id) => fetchCover(id, jobs)));
    expect((await read(`/works/OL${first}W`))["covers"]).toEqual([3]);
  });
});
