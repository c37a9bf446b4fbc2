// Files are composed of members in steps of bounded size.
import { gzipSync } from "node:zlib";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { beginDelta } from "../../../src/worker/dumps/schedule.ts";
import { digestOf } from "../../../src/worker/dumps/dump-step.ts";
import { type Dumping, downloaded, dumpOf, dumping, linesOfFile } from "../../support/worker/dumps.ts";
import { work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

// A dump of a day is one file.
const DATE = "2026-11-20";
const NAME = `ol_delta_${DATE}.txt.gz`;
let service: TestService;

beforeEach(async () => {
  await emptyStores();
  service = testService();
  await service.loadUnindexed(work(1));
});

/** Prepares a dump that has only to be composed, of members in an object each. */
async function storeMembers({ jobs }: Dumping, texts: readonly string[], level: number): Promise<void> {
  const { dump } = await beginDelta(DATE, jobs);
  const statement = env.CATALOG.prepare(
    `INSERT INTO dump_member (dump_id, step, place, section, object, bytes, lines, digest)
     VALUES (?1, ?2, 0, 'changes', ?3, ?4, 1, ?5)`,
  );
  const rows: D1PreparedStatement[] = [];
  for (const [index, text] of texts.entries()) {
    const bytes = gzipSync(text, { level });
    const object = `dumps/${dump?.id}/${-1 - index}`;
    await env.ARCHIVE.put(object, bytes);
    const digest = await digestOf(new TextEncoder().encode(text));
    rows.push(statement.bind(dump?.id, index, object, bytes.length, digest));
  }
  await env.CATALOG.batch([...rows, env.CATALOG.prepare("UPDATE dump SET stage = 'compose'")]);
}

/** Counts calls of the archive. */
function counted(target: R2Bucket) {
  const state = { calls: 0 };
  const archive = new Proxy(target, {
    get: (one, name) => {
      const member: unknown = Reflect.get(one, name, one);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        state.calls += 1;
        return Reflect.apply(member, one, values) as unknown;
      };
    },
  });
  return { archive, state };
}

it("composes a file of very many small members with a bounded number of R2 calls per message", async () => {
  const limits = { composedMembers: 40 };
  // A message does as many steps as it may.
  const making = dumping(service, { limits, singleSteps: false });
  const count = 2 * limits.composedMembers + 15;
  const texts = Array.from({ length: count }, (_, n) => `/type/delete\t/books/OL${n}M\n`);
  await storeMembers(making, texts, 6);
  const { archive, state } = counted(env.ARCHIVE);
  Object.assign(making.jobs.stores, { archive });
  Object.assign(making.jobs, { budget: { used: 0, isOver: () => state.calls >= 10 } });
  let most = 0;
  while (making.sent.length > 0) {
    state.calls = 0;
    await making.step();
    most = Math.max(most, state.calls);
  }
  expect(most).toBeGreaterThanOrEqual(limits.composedMembers);
  expect(most).toBeLessThan(2 * limits.composedMembers);
  expect(await dumpOf("delta", DATE)).toMatchObject({ state: "published", problem: null });
  expect(await linesOfFile(service, NAME)).toEqual(texts.map((text) => text.slice(0, -1)));
  expect((await env.ARCHIVE.list({ prefix: "dumps/" })).objects).toEqual([]);
});

it("starts a file anew when a slow worker has sent a part again", async () => {
  // Minimum part size of R2. Three parts, the second one beginning and ending within members.
  const partBytes = 5 * 1024 * 1024;
  const making = dumping(service, { limits: { partBytes } });
  // Stored members are not compressed, so they keep their size.
  const texts = ["a", "b", "c"].map((letter) => `${letter.repeat(0.7 * partBytes)}\n`);
  await storeMembers(making, texts, 0);
  const object = `ol_delta_${DATE}/${NAME}`;
  let upload = { id: "", parts: [] as unknown[] };
  while (upload.parts.length < 2) {
    await making.step();
    const { position } = await dumpOf("delta", DATE);
    upload = JSON.parse(position).upload ?? upload;
  }
  const whole = await new Blob(texts.map((text) => gzipSync(text, { level: 0 }))).bytes();
  await env.ARCHIVE.resumeMultipartUpload(object, upload.id).uploadPart(1, whole.slice(0, partBytes));
  await making.run();
  expect(await dumpOf("delta", DATE)).toMatchObject({ state: "published", problem: null });
  const digest = await digestOf(whole);
  expect(await digestOf(await downloaded(service, NAME))).toBe(digest);
  expect(await service.json("/data.json")).toMatchObject({ dumps: [{ files: [{ sha256: digest }] }] });
});
