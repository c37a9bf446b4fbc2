import { beforeAll, describe, expect, it } from "vitest";
import { parseXml } from "../../../src/import/xml/document.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { list, user } from "../../support/worker/lists.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const HALF = "\ud83d";
let joe: LoggedIn;
let editor: LoggedIn;

beforeAll(async () => {
  joe = await loggedIn(service, "joe");
  editor = await loggedIn(service, "ed", { groups: ["api", "librarians"] });
  await service.load(
    user("pat"),
    author(1, { name: `Ann ${HALF}` }),
    work(1, { title: `Half ${HALF} work`, authors: [1], subjects: [`Sub ${HALF}`] }),
    edition(1, { work: 1, title: `Half ${HALF} edition`, ocaid: `half${HALF}` }),
    list("/people/pat/lists/OL1L", [{ key: "/works/OL1W" }, { key: "/books/OL1M" }], {
      name: `Half ${HALF} list`,
      description: `${HALF} \\u and 😀`,
    }),
  );
  await indexAll();
});

describe("half a surrogate pair in a body (Q671)", () => {
  const doors: readonly [string, string, object, (string | number)[]][] = [
    ["POST", "/people/joe/lists.json", { name: `a ${HALF}` }, ["name"]],
    ["POST", "/people/joe/lists.json", { name: "a", seeds: [`subject:${HALF}`] }, ["seeds", 0]],
    ["POST", "/people/joe/lists/add", { name: `a ${HALF}` }, ["name"]],
    ["POST", "/works/OL1W/notes.json", { notes: HALF }, ["notes"]],
    ["POST", "/api/save_many", [{ key: "/works/OL1W", type: "/type/work", title: HALF }], [0, "title"]],
    ["PUT", "/works/OL1W", { key: "/works/OL1W", type: "/type/work", title: "a", [HALF]: 1 }, ["\ufffd"]],
  ];

  it.each(doors)("is a 422 that names it: %s %s %j", async (method, path, body, at) => {
    const who = path.startsWith("/people/") ? joe : editor;
    const headers = { "Content-Type": "application/json" };
    const response = await who.fetch(path, { method, body: JSON.stringify(body), headers });
    expect([response.status, await response.json()]).toEqual([
      422,
      { detail: [{ type: "string_unicode", loc: ["body", ...at], msg: expect.any(String) }] },
    ]);
  });
});

describe("a stored half of a surrogate pair", () => {
  const LIST = "/people/pat/lists/OL1L";
  const forms = "html bibtex json yaml ris csljson jsonld marcxml mods dc bibframe".split(" ");
  it.each([
    `${LIST}.json`,
    `${LIST}.json?_raw=true`,
    `${LIST}/seeds.json`,
    `${LIST}/feeds/updates.atom`,
    ...forms.map((form) => `${LIST}/export?format=${form}`),
    "/people/pat/lists.json",
    "/works/OL1W.json",
    "/works/OL1W.rdf",
    "/works/OL1W.yml",
    "/works/OL1W/editions.json",
    "/books/OL1M.bib",
    "/search.json?q=half&fields=*",
    "/search.atom?q=half",
    "/works/OL1W/editions",
    "/sru?query=half",
    "/changes.json",
    "/reconcile?query=half",
    "/api/books?bibkeys=OLID:OL1M&jscmd=data&format=json",
  ])("leaves as U+FFFD, or not at all: %s", async (path) => {
    const response = await service.fetch(path);
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.not.stringMatching(/\\ud83d(?!\\ude00)/)]);
    expect(text).toContain("Half");
    const type = response.headers.get("Content-Type") ?? "";
    if (type.includes("xml")) parseXml(text);
    if (type.includes("json")) expect(JSON.stringify(JSON.parse(text))).not.toContain("\\ud83d");
  });

  it.each([LIST, "/works/OL1W", "/books/OL1M", "/authors/OL1A", "/search?q=half"])(
    "has a page: %s",
    async (path) => {
      const response = await service.fetch(path, { headers: { Accept: "text/html" }, redirect: "manual" });
      const location = response.headers.get("Location");
      const page =
        location === null ? response : await service.fetch(location, { headers: { Accept: "text/html" } });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("</html>")]);
    },
  );
});
