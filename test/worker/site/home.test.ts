import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { storeActivity } from "../../../src/db/patrons/activity.ts";
import { addAccounts, workItem } from "../../support/worker/activity.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedWaves } from "../../support/worker/statements.ts";

const HTML = { headers: { Accept: "text/html" } };
const service = testService();

beforeAll(async () => {
  await service.load(
    author(1, { name: "Ann <b>Author</b>" }),
    work(1, { title: "Read by two", authors: [1], covers: [-1, 12], first_publish_date: "1999" }),
    work(2, { title: "Read by one", authors: [1] }),
    work(3, { title: "Read long ago", authors: [1] }),
    work(4, { title: "Read by nobody" }),
  );
  await indexAll();
  await addAccounts("ann", "bo");
  const lately = { shelf: 1 as const, logged: service.now - 86_400_000, moved: service.now - 86_400_000 };
  const before = {
    shelf: 1 as const,
    logged: service.now - 40 * 86_400_000,
    moved: service.now - 40 * 86_400_000,
  };
  await storeActivity(env.PATRONS, [
    { patron: "ann", items: [workItem(1, 1, lately), workItem(3, 2, before)] },
    { patron: "bo", items: [workItem(1, 1, lately), workItem(2, 2, lately)] },
  ]);
});

it("GET / shows search, links and trending works", async () => {
  const response = await service.fetch("/", HTML);
  expect(response.status).toBe(200);
  expect(response.headers.get("Vary")).toBe("Accept, Accept-Language, Cookie");
  const body = await response.text();
  expect(body.match(/<h1>/g)).toHaveLength(1);
  expect(body).toContain('<label class="unseen" for="site-search">');
  for (const path of [
    "/subjects",
    "/authors",
    "/languages",
    "/publishers",
    "/lists",
    "/trending",
    "/random",
    "/data",
  ]) {
    expect(body).toContain(`<a href="${path}">`);
  }
  const [, trending = ""] = body.split(/Trending this week|Most editions/);
  expect([...trending.matchAll(/<cite>([^<]*)/g)].map(([, title]) => title)).toEqual([
    "Read by two",
    "Read by one",
  ]);
  expect(trending).toContain('<i dir="auto">Ann &lt;b&gt;Author&lt;/b&gt;</i>');
  expect(trending).toContain('<img src="/b/id/12-M.jpg"');
});

it("GET / is JSON for clients, separately cached", async () => {
  for (const init of [{}, { headers: { Accept: "*/*" } }, { headers: { Accept: "application/json" } }]) {
    expect(await service.json("/", init)).toMatchObject({ name: "Carrel" });
  }
  expect((await service.fetch("/", HTML)).headers.get("Content-Type")).toBe("text/html; charset=utf-8");
});

it("GET / takes two waves of queries, then none", async () => {
  const waves = countedWaves();
  const cold = testService({ SEARCH: waves.of(env.SEARCH), PATRONS: waves.of(env.PATRONS) });
  const first = await (await cold.fetch("/", HTML)).text();
  expect(waves.count).toBe(2);
  expect(await (await cold.fetch("/", HTML)).text()).toBe(first);
  expect(waves.count).toBe(2);
});

it("GET / offers an account to visitors only", async () => {
  const ann = await loggedIn(service, "home_ann");
  expect(await (await service.fetch("/", HTML)).text()).toContain('href="/account/create"');
  expect(await (await ann.fetch("/", HTML)).text()).not.toContain('href="/account/create"');
});
