import { beforeAll, describe, expect, it } from "vitest";
import { formOf } from "../../support/worker/accounts.ts";
import { dumpOf } from "../../support/worker/dumps.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let boss: LoggedIn;

beforeAll(async () => {
  boss = await loggedIn(service, "boss", { groups: ["admin"] });
  await service.load(work(1));
});

const text = async () => (await boss.fetch("/admin/dumps", { headers: { Accept: "text/html" } })).text();

describe("/admin/dumps", () => {
  it("begins a dump, and shows its progress", async () => {
    expect(await text()).toContain("No data dumps yet.");
    const form = formOf({ kind: "full" });
    const headers = { ...form.headers, Accept: "text/html" };
    const begun = await boss.fetch("/admin/dumps", { ...form, headers });
    expect([begun.status, begun.headers.get("Location")]).toEqual([303, "/admin/dumps"]);
    expect(await text()).toMatch(/<live-part id="dumps"[^]*As of <time[^]*(?:Running|Published)/);
    while ((await dumpOf("full", "2026-11-21")).stage !== "done") await scheduler.wait(5);
    const { dumps } = (await boss.json("/admin/dumps.json")) as { dumps: unknown[] };
    expect(dumps).toMatchObject([{ kind: "full", state: "published" }]);
    const done = await text();
    expect(done).toContain("Published");
    expect(done).not.toContain("data-live");
  });
});
