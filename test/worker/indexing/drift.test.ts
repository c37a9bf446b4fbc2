import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { indexAll, snapshot } from "../../support/worker/indexing.ts";
import { settleActivity, settleImports } from "../../support/worker/queues.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { testService } from "../../support/worker/service.ts";
import { writingActions } from "../../support/worker/writing-actions.ts";

const service = testService();
const ACTIONS = 40;
const init = { method: "POST", headers: { Authorization: `Bearer ${env.LOAD_TOKEN}` }, body: "{}" };

/** Waits for all consumers, then compares all works with their records; the keys of those that the index had otherwise. */
async function mended(): Promise<string[]> {
  await settleActivity();
  await settleImports();
  await indexAll();
  const { repaired, stray } = Object(await service.json("/system/index-check", init));
  return [...repaired, ...stray];
}

it.each([1, 2, 4, 5])("leaves an index that neither audit nor rebuild changes (seed %i)", async (seed) => {
  const random = randomFrom(seed);
  const actions = await writingActions(service);
  const names = Object.keys(actions);
  let done: string[] = [];
  for (const name of [
    ...random.shuffled(names),
    ...Array.from({ length: ACTIONS }, () => random.pick(names)),
  ]) {
    const response = await actions[name]?.(random);
    done.push(`${name} ${response?.status}`);
    expect(response?.status).toBeLessThan(500);
    if (!random.chance(0.3)) continue;
    expect(await mended(), done.join(", ")).toEqual([]);
    done = [];
  }
  expect(await mended(), done.join(", ")).toEqual([]);
  const followed = await snapshot();
  const start = { ...init, body: JSON.stringify({ start: true }) };
  while (Object(await service.json("/system/reindex", start)).finished !== true);
  expect(followed).toEqual(await snapshot());
});
