// Every queue has a consumer, and what it cannot deliver has one as well.
import { expect, it } from "vitest";
import { readConfig } from "../../../scripts/lib/config.mjs";
import { QUEUE_NAMES } from "../../../src/worker/http/queue.ts";

const { producers, consumers } = (await readConfig()).queues;

it("all queues are known that something is sent to", () => {
  expect(producers.map(({ queue }) => queue).toSorted()).toEqual(QUEUE_NAMES.toSorted());
});

it("all queues are read, and so are their dead letters", () => {
  const read = QUEUE_NAMES.flatMap((name) => [name, `${name}-dead`]);
  expect(consumers.map(({ queue }) => queue).toSorted()).toEqual(read.toSorted());
});

it.each(QUEUE_NAMES)("what %s cannot deliver goes to its dead letters, and nowhere from there", (name) => {
  const dead = consumers.map(({ queue, dead_letter_queue: letters }) => [queue, letters]);
  expect(dead).toContainEqual([name, `${name}-dead`]);
  expect(dead).toContainEqual([`${name}-dead`, undefined]);
});
