import { expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

// Pages that every site has, where the catalog has none of its own.

const service = testService();
const HTML = { headers: { Accept: "text/html" } };

it.each([
  ["/about", "About this catalog"],
  ["/help", "Help"],
])("%s is there, for people", async (path, title) => {
  const response = await service.fetch(path, HTML);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(`<h1>${title}</h1>`);
  expect((await service.fetch(path)).status).toBe(404);
});

it("/explore leads to all subjects", async () => {
  const response = await service.fetch("/explore", HTML);
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/subjects"]);
});

it("a record of the catalog goes before them", async () => {
  await service.load({ key: "/help", type: "/type/page", title: "Our own help", body: "Ask us." });
  expect(await (await service.fetch("/help", HTML)).text()).toContain("<h1>Our own help</h1>");
});
