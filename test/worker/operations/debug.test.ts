import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const PATHS = ["/debug/memory", "/debug/memory.json", "/memory", "/debug/backdoor", "/debug/backdoor.json"];

describe("/debug", () => {
  it("shows cache and response counts of the isolate", async () => {
    const service = testService();
    await service.load(work(1));
    const memory = async (): Promise<{
      cache: Record<string, number>;
      answers: Record<string, Record<string, number>>;
    }> => (await service.fetch("/debug/memory")).json();
    const before = await memory();
    service.now += 10;
    await service.json("/works/OL1W.json");
    await service.json("/works/OL1W.json");
    await service.fetch("/works/OL404W.json");
    const after = await memory();
    expect(after.cache["answers"]).toBe(before.cache["answers"]! + 1);
    expect(after.cache["bytes"]).toBeGreaterThan(before.cache["bytes"]!);
    expect(after.cache["writes"]).toBeGreaterThan(0);
    const more = (what: string, name: string): number =>
      (after.answers[what]![name] ?? 0) - (before.answers[what]![name] ?? 0);
    expect([more("by_status", "2xx"), more("by_status", "4xx")]).toEqual([3, 1]);
    expect([more("by_source", "isolate"), more("by_source", "made")]).toEqual([1, 2]);
    expect(await service.json("/memory")).toMatchObject({ cache: { bytes_max: 16_777_216 } });
  });

  it("shows settings without secrets", async () => {
    const mail = "https://name:hidden@mail.example/send?key=hidden";
    const service = testService({ MAIL_URL: mail, XAUTH_ACCESS: "hidden", LENDING_KEY: "hidden" });
    const text = await (await service.fetch("/debug/backdoor")).text();
    for (const secret of ["hidden", env.LOAD_TOKEN, env.SESSION_SECRET, env.COVERS_SECRET]) {
      expect(text).not.toContain(secret);
    }
    expect(JSON.parse(text)).toMatchObject({
      settings: { ENVIRONMENT: "development", MAIL_URL: "https://mail.example/send" },
      secrets: { LOAD_TOKEN: true, XAUTH_ACCESS: true, OIDC_CLIENT_SECRET: false },
      migrations: { catalog: expect.stringMatching(/^\d{4}_\w+\.sql$/), search: expect.any(String) },
    });
  });

  it.each(["/debug/memory", "/debug/backdoor"])("%s is an HTML page for browsers", async (path) => {
    const page = await testService().fetch(path, { headers: { Accept: "text/html" } });
    expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const text = await page.text();
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).not.toContain(env.LOAD_TOKEN);
  });

  it("answers 404 to everyone but administrators in production", async () => {
    const service = testService({ ENVIRONMENT: "production" });
    const patron = await loggedIn(service, "curious");
    const maintainer = await loggedIn(service, "keeper", { groups: ["maintainers"] });
    const admin = await loggedIn(service, "chief", { groups: ["admin"] });
    for (const path of PATHS) {
      for (const client of [service, patron, maintainer])
        expect((await client.fetch(path)).status, path).toBe(404);
      const answer = await admin.fetch(path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get("Cache-Control"), path).toBe("private, no-store");
    }
  });
});
