// A dump is the same after any failure while it is made, or it is not published.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DUMP_IDLE_MS, beginDelta, resumeDumps, sweepDumps } from "../../../src/worker/dumps/schedule.ts";
import { DUMP_FAILURES_MAX, runDump } from "../../../src/worker/dumps/jobs.ts";
import {
  DELTA,
  dumpWithBrokenBucket,
  dumpWithBrokenDatabase,
  dumpWithRepeatedMessages,
  expectPublished,
  serviceToDump,
  undisturbed,
} from "../../support/worker/dump-faults.ts";
import { checksums, dumpOf, dumping } from "../../support/worker/dumps.ts";
import { work } from "../../support/worker/records.ts";
import type { TestService } from "../../support/worker/service.ts";

const { date: DATE } = DELTA;
let service: TestService;

beforeEach(async () => {
  service = await serviceToDump();
});

/** Lets a consumer take the first step and vanish in the middle of it. */
async function loseConsumer({ jobs, sent }: ReturnType<typeof dumping>): Promise<void> {
  const [first] = sent.splice(0);
  const archive = { put: () => new Promise(() => undefined) } as unknown as R2Bucket;
  void runDump(first ?? { dump: 0, step: 0 }, { ...jobs, stores: { ...jobs.stores, archive } });
  await vi.waitFor(async () => {
    const row = await env.CATALOG.prepare("SELECT lease FROM dump").first<{ lease: string | null }>();
    expect(row?.lease).toBeTypeOf("string");
  });
}

describe("a dump", () => {
  it("is the same when each database call fails once", async () => {
    const expected = await undisturbed(service, DELTA);
    expect(await dumpWithBrokenDatabase(service, DELTA)).toBeGreaterThan(20);
    await expectPublished(service, DELTA, expected);
  });

  it.each(["before", "after"] as const)("is the same when R2 fails %s each call", async (when) => {
    const expected = await undisturbed(service, DELTA);
    expect(await dumpWithBrokenBucket(service, DELTA, when)).toBeGreaterThan(8);
    await expectPublished(service, DELTA, expected);
  });

  it("is the same with duplicate, old and concurrent messages", async () => {
    const expected = await undisturbed(service, DELTA);
    await dumpWithRepeatedMessages(service, DELTA);
    await expectPublished(service, DELTA, expected);
  });

  it("is resumed by the scheduled task when its message or its worker is lost", async () => {
    const expected = await undisturbed(service, DELTA);
    const making = dumping(service);
    const { jobs, sent } = making;
    await DELTA.begin(jobs);
    await loseConsumer(making);
    await sweepDumps(jobs);
    expect(sent).toEqual([]);
    service.now += DUMP_IDLE_MS;
    for (let sweeps = 0; sweeps < 100; sweeps += 1) {
      await sweepDumps(jobs);
      const [message] = sent.splice(0);
      if (message === undefined) break;
      await runDump(message, jobs);
      // The next message is lost too.
      sent.splice(0);
      service.now += DUMP_IDLE_MS;
    }
    await expectPublished(service, DELTA, expected);
  });

  it("is resumed at once after a restart, also if the clock was ahead before it", async () => {
    const expected = await undisturbed(service, DELTA);
    const making = dumping(service);
    const { jobs, sent, run } = making;
    await DELTA.begin(jobs);
    await loseConsumer(making);
    service.now += 1000;
    expect(await resumeDumps(jobs, DUMP_IDLE_MS)).toBe(0);
    expect(await resumeDumps(jobs, 0)).toBe(1);
    service.now -= 3_600_000;
    sent.splice(0);
    expect(await resumeDumps(jobs, 0)).toBe(1);
    service.now += 3_600_000;
    await run();
    await expectPublished(service, DELTA, expected);
  });

  it("is not published when its file is corrupt, and the previous one stays", async () => {
    const next = "2026-11-21";
    const previous = dumping(service);
    await DELTA.begin(previous.jobs);
    await previous.run();
    const before = await checksums(service, "delta");
    await service.loadUnindexed(work(3));
    service.now += 86_400_000;
    const { jobs, run, step } = dumping(service);
    await beginDelta(next, jobs);
    for (let stage = ""; stage !== "verify"; { stage } = await dumpOf("delta", next)) await step();
    const name = `ol_delta_${next}/ol_delta_${next}.txt.gz`;
    const stored = await (await env.ARCHIVE.get(name))?.arrayBuffer();
    const bytes = new Uint8Array(stored ?? new ArrayBuffer(0));
    bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1;
    await env.ARCHIVE.put(name, bytes);
    await expect(run()).rejects.toThrow(/ol_delta_2026-11-21.*something else/);
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await run();
    errors.mockRestore();
    expect(await dumpOf("delta", next)).toMatchObject({
      state: "failed",
      stage: "done",
      problem: expect.stringContaining("something else"),
    });
    expect((await env.ARCHIVE.list({ prefix: `ol_delta_${next}/` })).objects).toEqual([]);
    expect((await env.ARCHIVE.list({ prefix: "dumps/" })).objects).toEqual([]);
    expect(await checksums(service, "delta")).toEqual(before);
    const latest = await service.fetch("/data/ol_delta_latest.txt.gz");
    expect(latest.headers.get("Location")).toBe(`/data/ol_delta_${DATE}.txt.gz`);
    // It can be begun again.
    const again = dumping(service);
    expect(await beginDelta(next, again.jobs)).toMatchObject({
      isNew: true,
      dump: { attempts: 2, problem: null },
    });
    await again.run();
    expect(await dumpOf("delta", next)).toMatchObject({ state: "published" });
  });

  it("aborts its upload when it fails", async () => {
    const { jobs, run, step } = dumping(service);
    await DELTA.begin(jobs);
    let upload: { id: string } | undefined;
    while (upload === undefined) {
      await step();
      const { stage, position } = await dumpOf("delta", DATE);
      upload = stage === "compose" ? (JSON.parse(position).upload ?? undefined) : undefined;
    }
    const object = `ol_delta_${DATE}/ol_delta_${DATE}.txt.gz`;
    const begun = env.ARCHIVE.resumeMultipartUpload(object, upload.id);
    await begun.uploadPart(1, "of this upload");
    // Pieces of it are gone.
    await env.CATALOG.prepare("DELETE FROM dump_member").run();
    await expect(run()).rejects.toThrow("bytes of a file are missing");
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await run();
    errors.mockRestore();
    expect(await dumpOf("delta", DATE)).toMatchObject({ state: "failed", stage: "done" });
    await expect(begun.uploadPart(2, "of this upload")).rejects.toThrow(/does not exist|10024/);
  });

  it("fails when one of its steps never succeeds", async () => {
    const { jobs, sent } = dumping(service);
    await DELTA.begin(jobs);
    const away = () => Promise.reject(new Error("R2 is away"));
    const stores = { ...jobs.stores, archive: { put: away } as unknown as R2Bucket };
    const [message = { dump: 0, step: 0 }] = sent.splice(0);
    for (let times = 1; times <= DUMP_FAILURES_MAX; times += 1) {
      expect(await dumpOf("delta", DATE)).toMatchObject({ state: "open", failures: times - 1 });
      await expect(runDump(message, { ...jobs, stores })).rejects.toThrow("R2 is away");
    }
    expect(await dumpOf("delta", DATE)).toMatchObject({ state: "failed", stage: "clean" });
    expect(sent).toEqual([{ dump: message.dump, step: message.step + 1 }]);
  });
});
