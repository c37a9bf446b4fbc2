import { describe, expect, it } from "vitest";
import { KeyQueue } from "../../../src/durable/key-queue.ts";

const limits = { tasks: 100, size: 1000, running: 100, runningSize: 1000 };

/** Work that ends when the test says so, and notes its begin and end. */
function scripted(queue: KeyQueue, notes: string[]) {
  return (name: string, keys: readonly string[], size = 1) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const run = async (): Promise<string> => {
      notes.push(`${name} begins`);
      try {
        return await promise;
      } finally {
        notes.push(`${name} ends`);
      }
    };
    const result = queue.run({ keys, size, run });
    return { result, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
}
const settle = () => new Promise((resolve) => void setTimeout(resolve, 0));

describe("work in a queue", () => {
  it("waits only for earlier work with a common key", async () => {
    const notes: string[] = [];
    const add = scripted(new KeyQueue(limits), notes);
    const [ab, bc, d, ac] = [
      add("ab", ["a", "b"]),
      add("bc", ["b", "c"]),
      add("d", ["d"]),
      add("ac", ["a", "c"]),
    ];
    await settle();
    expect(notes).toEqual(["ab begins", "d begins"]);
    ab.end();
    await settle();
    // `ac` came after `bc`, with which it shares c.
    expect(notes.slice(2)).toEqual(["ab ends", "bc begins"]);
    bc.end();
    d.end();
    ac.end();
    expect(await Promise.all([ab, bc, d, ac].map(({ result }) => result))).toEqual(["ab", "bc", "d", "ac"]);
  });

  it("continues after a failure", async () => {
    const notes: string[] = [];
    const add = scripted(new KeyQueue({ ...limits, running: 1 }), notes);
    const [first, second, third] = [add("1", ["a"]), add("2", ["a"]), add("3", [])];
    first.fail();
    second.end();
    third.end();
    await expect(first.result).rejects.toThrow("1");
    expect(await Promise.all([second.result, third.result])).toEqual(["2", "3"]);
  });

  it("limits parallel work, and runs all of it", async () => {
    const notes: string[] = [];
    const add = scripted(new KeyQueue({ ...limits, running: 2 }), notes);
    const works = ["1", "2", "3", "4"].map((name) => add(name, [name]));
    await settle();
    expect(notes).toEqual(["1 begins", "2 begins"]);
    works[1]?.end();
    await settle();
    expect(notes.slice(2)).toEqual(["2 ends", "3 begins"]);
    for (const { end } of works) end();
    await Promise.all(works.map(({ result }) => result));
    expect(notes.filter((note) => note.endsWith("ends"))).toHaveLength(4);
  });

  it("limits the size of parallel work, and runs larger work alone, in order of arrival", async () => {
    const notes: string[] = [];
    const add = scripted(new KeyQueue({ ...limits, runningSize: 10 }), notes);
    const works = [add("6", [], 6), add("4", [], 4), add("20", [], 20), add("1", [], 1)];
    for (const [index, begun] of [["6", "4"], [], ["20"], ["1"]].entries()) {
      if (index > 0) works[index - 1]?.end();
      await settle();
      expect(notes.splice(0).filter((note) => note.endsWith("begins"))).toEqual(
        begun.map((name) => `${name} begins`),
      );
    }
    works[3]?.end();
    await Promise.all(works.map(({ result }) => result));
  });

  it("refuses too much waiting work by number or size, but never a single piece", async () => {
    const add = scripted(new KeyQueue({ ...limits, tasks: 2 }), []);
    const large = add("large", [], 5000);
    expect(await add("more", []).result).toBeUndefined();
    large.end();
    await large.result;
    const works = [add("1", ["a"]), add("2", ["a"])];
    expect(await add("3", []).result).toBeUndefined();
    for (const { end } of works) end();
    expect(await Promise.all(works.map(({ result }) => result))).toEqual(["1", "2"]);
    const next = add("next", ["a"]);
    next.end();
    expect(await next.result).toBe("next");
  });
});
