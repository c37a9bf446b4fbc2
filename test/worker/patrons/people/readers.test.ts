import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { LoggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity } from "../../../support/worker/queues.ts";
import { testService } from "../../../support/worker/service.ts";
import { joeAndAnn, pageFor, show } from "./patron-pages.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
let joe: LoggedIn;
let ann: LoggedIn;

beforeAll(async () => {
  ({ joe, ann } = await joeAndAnn(service));
  for (const name of ["joe", "ann"]) {
    await env.PATRON.getByName(name).shelves.put({ work: 28, shelf: 3, keep: true, now: service.now });
  }
  await settleActivity();
});

const readersOn = (html: string) => [...html.matchAll(/<h2><a href="([^"]+)"/g)].map(([, href]) => href);

describe("GET /people", () => {
  it("lists patrons with a visible log", async () => {
    const html = await pageFor(ann, "/people");
    expect(readersOn(html)).toEqual(["/people/Joe"]);
    expect(html).toContain('Already read <span class="n">1</span>');
    expect(html).toContain("Work 28");
    expect(html).toContain('name="publisher" value="Joe"');
    const anonymous = await service.fetch("/people", { headers: { Accept: "text/html" } });
    expect(anonymous.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(await anonymous.text()).not.toContain('name="publisher"');
  });

  it("finds patrons by name, unless their log is hidden", async () => {
    expect(readersOn(await pageFor(joe, "/people?q=JO"))).toEqual(["/people/Joe"]);
    expect(readersOn(await pageFor(joe, "/people?q=an"))).toEqual([]);
    await show(ann, "yes");
    expect(readersOn(await pageFor(joe, "/people?q=an"))).toEqual(["/people/Ann"]);
    await show(ann, "no");
  });
});
