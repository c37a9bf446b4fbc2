// Covers stored before renditions existed get them by the scheduled task and the queue.
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { checkImage } from "../../../src/worker/covers/check-image.ts";
import {
  renderStored,
  originalName,
  putOriginal,
  renditionName,
} from "../../../src/worker/covers/store-cover.ts";
import { COVERS_SWEPT, continueCovers } from "../../../src/worker/covers/jobs.ts";
import type { Jobs } from "../../../src/worker/http/queue.ts";
import { jpegImage } from "../../support/covers/real-images.ts";
import { settleImports } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";
import { english } from "../../../src/catalog/texts.ts";

const service = testService();
const jobs: Jobs = { stores: storesOf(env), settings: settingsOf(env), sources: systemSources };
let covers = 1000;

/** A cover as they were stored before. */
async function old(bytes: Uint8Array<ArrayBuffer> = jpegImage(600, 900)): Promise<number> {
  const id = (covers += 1);
  const image = checkImage(bytes);
  if ("key" in image) throw new Error(english(image));
  await putOriginal(env.COVERS, id, image);
  await env.CATALOG.prepare(
    `INSERT INTO cover (id, category, state, content_type, bytes, width, height, created, updated)
     VALUES (?, 'b', 'stored', 'image/jpeg', 1, 600, 900, '2026-11-01T00:00:00.000000', '2026-11-01T00:00:00.000000')`,
  )
    .bind(id)
    .run();
  return id;
}
const renditionsOf = (id: number): Promise<unknown> =>
  env.CATALOG.prepare("SELECT renditions FROM cover WHERE id = ?").bind(id).first("renditions");
const sizeOf = async (id: number): Promise<string> => {
  const image = checkImage(new Uint8Array(await (await service.fetch(`/b/id/${id}-M.jpg`)).arrayBuffer()));
  return "key" in image ? english(image) : `${image.width}x${image.height}`;
};

describe("a cover without renditions", () => {
  it("shows its original until the scheduled task makes them", async () => {
    const id = await old();
    expect(await sizeOf(id)).toBe("600x900");
    await continueCovers(jobs);
    await settleImports();
    expect([await sizeOf(id), await renditionsOf(id)]).toEqual(["180x270", "made"]);
    // Messages come twice.
    await env.COVER_JOBS.send({ cover: id });
    await settleImports();
    expect(await sizeOf(id)).toBe("180x270");
  });

  it("is queued newest first, a bounded number at a time", async () => {
    const ids: number[] = [];
    for (let count = 0; count < COVERS_SWEPT + 2; count += 1) ids.push(await old());
    const sent: unknown[] = [];
    const queue = vi.spyOn(env.COVER_JOBS, "sendBatch").mockImplementation((messages) => {
      for (const { body } of messages) sent.push(Object(body).cover);
      return Promise.resolve({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });
    });
    await continueCovers(jobs);
    queue.mockRestore();
    expect(sent).toEqual(ids.toReversed().slice(0, COVERS_SWEPT));
    await env.CATALOG.exec("UPDATE cover SET renditions = 'made'");
  });

  it.each([
    ["broken", (id: number) => env.COVERS.put(originalName(id), jpegImage(600, 900).slice(0, 500))],
    ["not there", (id: number) => env.COVERS.delete(originalName(id))],
    ["no image", (id: number) => env.COVERS.put(originalName(id), "text")],
  ])("is given up when its original is %s", async (_, spoil) => {
    const id = await old();
    await spoil(id);
    await renderStored(id, jobs);
    expect(await renditionsOf(id)).toBe("none");
    expect(await env.COVERS.head(renditionName(id, "M"))).toBeNull();
  });

  it("stays without them when deleted or not stored", async () => {
    const id = await old();
    await env.CATALOG.prepare("UPDATE cover SET deleted = created WHERE id = ?").bind(id).run();
    await renderStored(id, jobs);
    await renderStored(999_999, jobs);
    expect(await renditionsOf(id)).toBeNull();
    expect(await env.COVERS.head(renditionName(id, "M"))).toBeNull();
  });
});
