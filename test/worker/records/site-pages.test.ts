import { expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { hrefs, mainOf } from "../../support/worker/page-text.ts";
import { edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const HTML = { headers: { Accept: "text/html" } };

it.each([
  ["/about", "About this catalog"],
  ["/help", "Help"],
])("%s exists for browsers only", async (path, title) => {
  const response = await service.fetch(path, HTML);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(`<h1>${title}</h1>`);
  expect((await service.fetch(path)).status).toBe(404);
});

it("/explore links to books, subjects, years and languages", async () => {
  await service.load(
    work(1, {
      title: "Emma",
      subjects: ["Villages"],
      subject_times: ["19th century"],
      first_publish_date: "1815",
    }),
    edition(1, { work: 1, languages: [{ key: "/languages/eng" }], publish_date: "1815" }),
    language("eng", "English"),
  );
  await indexAll();
  const response = await service.fetch("/explore", HTML);
  const links = hrefs(mainOf(await response.text()));
  expect(response.status).toBe(200);
  expect(links).toEqual(
    expect.arrayContaining([
      "/works/OL1W",
      "/subjects/villages",
      "/subjects/time:19th_century",
      "/search?from=1800&to=1899",
      "/languages/eng",
    ]),
  );
});

it("a stored record takes precedence", async () => {
  await service.load({ key: "/help", type: "/type/page", title: "Our own help", body: "Ask us." });
  expect(await (await service.fetch("/help", HTML)).text()).toContain("<h1>Our own help</h1>");
});
