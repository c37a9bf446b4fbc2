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
  it("is the same when each database call fails once", async () => {
    expect(await dumpWithBrokenDatabase(service, FULL)).toBeGreaterThan(140);
    await expectPublished(service, FULL, expected);
  });

  it.each(["before", "after"] as const)("is the same when R2 fails %s each call", async (when) => {
    expect(await dumpWithBrokenBucket(service, FULL, when)).toBeGreaterThan(50);
    await expectPublished(service, FULL, expected);
  });

  it("is the same with duplicate, old and concurrent messages", async () => {
    await dumpWithRepeatedMessages(service, FULL);
    await expectPublished(service, FULL, expected);
  });
});
