import { beforeAll, describe, expect, it } from "vitest";
import { jsonOf } from "../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { settleIndexQueue } from "../../support/worker/queues.ts";
import { author, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
const HTML = { headers: { Accept: "text/html" } };
let chief: LoggedIn;

beforeAll(async () => {
  chief = await loggedIn(service, "chief", { groups: ["super-librarians", "librarians"] });
});

const page = async (path: string): Promise<string> => (await chief.fetch(path, HTML)).text();
const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, "");
const merge = async (kind: "works" | "authors", master: string, duplicates: string[]): Promise<void> => {
  const keys = { master: `/${kind}/${master}`, duplicates: duplicates.map((olid) => `/${kind}/${olid}`) };
  expect((await chief.fetch(`/${kind}/merge.json`, jsonOf(keys))).status).toBe(200);
};

describe("POST /works/merge.json with twins", () => {
  it("keeps one of two authors with the same name", async () => {
    await service.load(
      author(1, { name: "Jane Austen", birth_date: "1775" }),
      author(2, { name: "Jane Austen" }),
      redirected("/authors/OL3A", "/authors/OL1A"),
      work(1, { title: "Emma", authors: [1] }),
      work(2, { title: "Emma", authors: [2, 3] }),
    );
    await merge("works", "OL1W", ["OL2W"]);
    const { authors } = (await service.json("/works/OL1W.json")) as { authors: unknown[] };
    expect(authors).toMatchObject([{ author: { key: "/authors/OL1A" } }]);
  });
});

describe("GET /works/merge", () => {
  it("offers works that are not picked yet, with details that distinguish twins", async () => {
    await service.load(
      author(21, { name: "Mary Shelley" }),
      work(21, { title: "Frankenstein", authors: [21] }),
      work(22, { title: "Frankenstein", authors: [21] }),
      edition(21, { work: 22, publish_date: "1818" }),
      edition(22, { work: 22, publish_date: "1831" }),
    );
    await settleIndexQueue();
    const html = await page("/works/merge?records=OL21W&other_text=Frankenstein");
    const choices = [...html.matchAll(/name="other" value="([^"]*)"[^]*?<label [^>]*>([^]*?)<\/label>/g)];
    expect(choices.map(([, key, label = ""]) => [key, textOf(label)])).toEqual([
      ["/works/OL22W", "Frankenstein Mary Shelley, 1818, 2 editions, OL22W"],
    ]);
  });
});

describe("merge requests", () => {
  it("close when all but one of their records are merged", async () => {
    await service.load(...[31, 32, 33].map((id) => work(id)));
    const propose = async (olids: string): Promise<unknown> => {
      const sent = { rtype: "create-request", action: "create-pending", mr_type: "1", olids };
      const { id } = (await chief.json("/merges", jsonOf(sent))) as { id: number };
      return id;
    };
    const [both, all] = [await propose("OL31W,OL32W"), await propose("OL31W,OL32W,OL33W")];
    const statuses = async (): Promise<unknown[]> => {
      const { entries } = (await service.json("/merges.json?mode=all&limit=100")) as {
        entries: { id: number; status: number }[];
      };
      return [both, all].map((id) => entries.find((one) => one.id === id)?.status);
    };
    expect(await statuses()).toEqual([1, 1]);
    await merge("works", "OL31W", ["OL32W"]);
    expect(await statuses()).toEqual([2, 1]);
    await merge("works", "OL33W", ["OL31W"]);
    expect(await statuses()).toEqual([2, 2]);
  });
});

describe("GET /authors/{id}/merge-works", () => {
  it("groups like works of authors with the same name", async () => {
    await service.load(
      author(41, { name: "George Eliot" }),
      author(42, { name: "GEORGE  ELIOT" }),
      author(43, { name: "Mary Ann Evans", alternate_names: ["George Eliot"] }),
      author(44, { name: "Somebody Else" }),
      work(41, { title: "Middlemarch", authors: [41] }),
      work(42, { title: "Middlemarch", authors: [42] }),
      work(43, { title: "Middlemarch", authors: [43] }),
      work(44, { title: "Middlemarch", authors: [44] }),
      work(45, { title: "Romola", authors: [42] }),
      work(46, { title: "Romola", authors: [42] }),
      edition(42, { work: 42 }),
    );
    const path = "/authors/OL41A/merge-works";
    const { groups } = (await chief.json(path)) as { groups: { key: string }[][] };
    expect(groups.map((group) => group.map(({ key }) => key))).toEqual([
      ["/works/OL41W", "/works/OL42W", "/works/OL43W"],
    ]);
    expect(Object.keys(groups[0]?.[1] ?? {})).toEqual(["key", "title", "subtitle", "first_publish_date"]);
    expect(textOf(await page(path))).toContain("Middlemarch (GEORGE  ELIOT OL42A, OL42W, 1 edition)");
  });
});
