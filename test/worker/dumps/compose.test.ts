// Files are put together whatever their members are like, in steps of bounded size.
import { gzipSync } from "node:zlib";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { beginFull } from "../../../src/worker/dumps/begin.ts";
import { COMPOSED_MEMBERS, PART_BYTES } from "../../../src/worker/dumps/compose.ts";
import { digestOf } from "../../../src/worker/dumps/chunk.ts";
import {
  type Dumping,
  checksums,
  downloaded,
  dumpOf,
  dumping,
  linesOfFile,
} from "../../support/worker/dumps.ts";
import { work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const DATE = "2026-11-21";
const FOLDER = `ol_dump_${DATE}`;
const DELETES = `ol_dump_deletes_${DATE}.txt.gz`;
let service: TestService;
let making: Dumping;

beforeEach(async () => {
  await emptyStores();
  service = testService();
  await service.loadUnindexed(work(1));
  making = dumping(service);
});

/** A dump of which nothing but composing is left: members of one section, each in an object of its own. */
async function read(texts: readonly string[], level: number): Promise<void> {
  const { dump } = await beginFull(making.jobs);
  const statement = env.CATALOG.prepare(
    `INSERT INTO dump_member (dump_id, step, place, section, object, bytes, lines, digest)
     VALUES (?1, ?2, 0, 'deletes', ?3, ?4, 1, ?5)`,
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

/** The archive, and how often it was asked since the last look. */
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

it("a file of very many small members is made without asking R2 for more of them than one invocation may", async () => {
  const count = 2 * COMPOSED_MEMBERS + 150;
  const texts = Array.from({ length: count }, (_, n) => `/type/delete\t/books/OL${n}M\n`);
  await read(texts, 6);
  const { archive, state } = counted(env.ARCHIVE);
  // Time stands still: a message does as many steps as it may.
  Object.assign(making.jobs.stores, { archive });
  Object.assign(making.jobs.sources, { now: () => service.now });
  let most = 0;
  while (making.sent.length > 0) {
    state.calls = 0;
    await making.step();
    most = Math.max(most, state.calls);
  }
  expect(most).toBeGreaterThanOrEqual(COMPOSED_MEMBERS);
  expect(most).toBeLessThan(2 * COMPOSED_MEMBERS);
  expect(await dumpOf("full", DATE)).toMatchObject({ state: "published", problem: null });
  expect(await linesOfFile(service, DELETES)).toEqual(texts.map((text) => text.slice(0, -1)));
  expect((await env.ARCHIVE.list({ prefix: "dumps/" })).objects).toEqual([]);
});

it("a part that was sent again after it was noted, by whoever was too slow, does not spoil the file", async () => {
  // Three parts, the second one beginning and ending within members. What is not packed has as many bytes as before.
  const texts = ["a", "b", "c"].map((letter) => `${letter.repeat(0.7 * PART_BYTES)}\n`);
  await read(texts, 0);
  const object = `${FOLDER}/ol_dump_${DATE}.txt.gz`;
  let upload = { id: "", parts: [] as unknown[] };
  while (upload.parts.length < 2) {
    await making.step();
    const { position } = await dumpOf("full", DATE);
    upload = JSON.parse(position).upload ?? upload;
  }
  const whole = await new Blob(texts.map((text) => gzipSync(text, { level: 0 }))).bytes();
  await env.ARCHIVE.resumeMultipartUpload(object, upload.id).uploadPart(1, whole.slice(0, PART_BYTES));
  await making.run();
  expect(await dumpOf("full", DATE)).toMatchObject({ state: "published", problem: null });
  expect(await digestOf(await downloaded(service, `ol_dump_${DATE}.txt.gz`))).toBe(await digestOf(whole));
  expect((await checksums(service))["ol_dump"]).toBe(await digestOf(whole));
});
