import worker from "../../../src/worker/index.ts";
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { noteImport, readDueImports } from "../../../src/db/patrons/patron-jobs.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

describe("the sweep", () => {
  it("continues when one step fails, and names it", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    const service = testService();
    await service.loadUnindexed(work(1));
    await loggedIn(service, "Someone");
    await noteImport(env.PATRONS, { patron: "someone", id: "done-already" }, 0);
    const broken = new Proxy(env.SEARCH, {
      get: (of, name) => {
        if (name === "prepare") throw new Error("the index is away");
        return Reflect.get(of, name);
      },
    });
    const controller = createScheduledController({ cron: "*/5 * * * *" });
    await expect(worker.scheduled(controller, { ...env, SEARCH: broken })).rejects.toThrow(
      /the sweep failed: .*index/,
    );
    expect(errors.mock.calls.some(([line]) => String(line).includes('"step":"index"'))).toBe(true);
    expect(await readDueImports(env.PATRONS, Date.now(), 1)).toEqual([]);
    vi.restoreAllMocks();
  });
});
