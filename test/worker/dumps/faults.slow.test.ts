// Each of the hundreds of calls that a dump of everything makes fails once.
import { beforeEach, describe, expect, it } from "vitest";
import {
  FULL,
  dumpWithBrokenBucket,
  dumpWithBrokenDatabase,
  dumpWithRepeatedMessages,
  expectPublished,
  serviceToDump,
  undisturbed,
} from "../../support/worker/dump-faults.ts";
import type { TestService } from "../../support/worker/service.ts";

let service: TestService;
let expected: Record<string, string>;

beforeEach(async () => {
  service = await serviceToDump();
  expected = await undisturbed(service, FULL);
});

describe("a dump of everything", () => {
  it("is the same when the database fails at every call", async () => {
    expect(await dumpWithBrokenDatabase(service, FULL)).toBeGreaterThan(140);
    await expectPublished(service, FULL, expected);
  });

  it.each(["before", "after"] as const)("is the same when R2 fails %s every call", async (when) => {
    expect(await dumpWithBrokenBucket(service, FULL, when)).toBeGreaterThan(50);
    await expectPublished(service, FULL, expected);
  });

  it("is the same when messages are doubled, old, or worked on side by side", async () => {
    await dumpWithRepeatedMessages(service, FULL);
    await expectPublished(service, FULL, expected);
  });
});
