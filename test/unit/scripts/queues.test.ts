// Every queue has a consumer, and what it cannot deliver has one as well.
import { expect, it } from "vitest";
import { readConfig } from "../../../scripts/lib/config.ts";
import { QUEUE_NAMES } from "../../../src/worker/http/queue.ts";

const { producers, consumers } = (await readConfig()).queues;

it("every queue that is written to is configured", () => {
  expect(producers.map(({ queue }) => queue).toSorted()).toEqual(QUEUE_NAMES.toSorted());
});

it("every queue and its dead letters have a consumer", () => {
  const read = QUEUE_NAMES.flatMap((name) => [name, `${name}-dead`]);
  expect(consumers.map(({ queue }) => queue).toSorted()).toEqual(read.toSorted());
});

it.each(QUEUE_NAMES)("%s has dead letters without further dead letters", (name) => {
  const dead = consumers.map(({ queue, dead_letter_queue: letters }) => [queue, letters]);
  expect(dead).toContainEqual([name, `${name}-dead`]);
  expect(dead).toContainEqual([`${name}-dead`, undefined]);
});
