import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { edition, redirected, work } from "../../support/worker/records.ts";
import { mainOf } from "../../support/worker/page-text.ts";
import { testService } from "../../support/worker/service.ts";
import { type Who, HTML, leads, looking } from "../../support/worker/writing.ts";

const service = testService();
const { read, lastChange } = looking(service);
let ann: LoggedIn;

const send = (path: string, body: string, headers: Record<string, string> = {}, who: Who = ann) =>
  who.fetch(path, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  });
const answer = async (path: string, body: string): Promise<unknown[]> => {
  const response = await send(path, body);
  return [response.status, await response.json()];
};
const page = async (path: string, who: Who = ann): Promise<string> => {
  const response = await who.fetch(path, { headers: HTML });
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  return response.text();
};
const covers = async (key: string): Promise<unknown> => (await read(key))["covers"];

beforeAll(async () => {
  await service.load(
    work(1, { title: "Of <Mice>" }),
    work(2, { covers: [40, 41] }),
    work(3),
    edition(1, { work: 1, title: "Mice & Men", covers: [5, -1, null, 7, 9] }),
    edition(2, { work: 1, covers: [7, 5] }),
    edition(3, { work: 2 }),
    edition(10, { work: 1, covers: [8] }),
    redirected("/books/OL9M", "/books/OL1M", 1),
    {
      key: "/authors/OL1A",
      type: "/type/author",
      name: "Ann",
      photos: [3, 4],
      remote_ids: { wikidata: "Q42" },
    },
    { key: "/permission/locked", type: "/type/permission", writers: [{ key: "/usergroup/keepers" }] },
    { ...edition(4, { work: 1, covers: [1, 2] }), permission: { key: "/permission/locked" } },
  );
  ann = await loggedIn(service, "cover_manager");
});

describe("POST …/manage-covers", () => {
  it("stores the images before the separator in their order", async () => {
    expect(await answer("/books/OL1M/manage-covers", "image=9&image=5&image=-&image=7")).toEqual([
      200,
      { key: "/books/OL1M", covers: [9, 5] },
    ]);
    expect(await covers("/books/OL1M")).toEqual([9, 5]);
    expect(await lastChange()).toMatchObject({
      kind: "update-book-covers",
      comment: "Update covers",
      author: { key: "/people/cover_manager" },
    });
  });

  it("accepts works and authors", async () => {
    expect(await answer("/works/OL2W/any/manage-covers.json", "image=41&image=-&image=40")).toEqual([
      200,
      { key: "/works/OL2W", covers: [41] },
    ]);
    expect(await answer("/authors/OL1A/manage-photos", "image=4&image=3&image=-")).toEqual([
      200,
      { key: "/authors/OL1A", photos: [4, 3] },
    ]);
    expect(await lastChange()).toMatchObject({ kind: "update-author-photos", comment: "Update photos" });
  });

  it("shows browsers the images again with the reason of a refusal", async () => {
    const response = await send("/authors/OL1A/manage-photos", "image=4&image=3", HTML);
    expect(response.status).toBe(422);
    const text = mainOf(await response.text());
    expect(text).toContain("is missing after the images");
    expect(text).toContain('<form method="post" action="/authors/OL1A/manage-photos">');
  });

  it("takes JSON and multipart forms", async () => {
    const json = await ann.fetch("/books/OL2M/manage-covers", {
      method: "POST",
      body: JSON.stringify({ image: [5, 7, "-"] }),
      headers: { "Content-Type": "application/json" },
    });
    expect(await json.json()).toEqual({ key: "/books/OL2M", covers: [5, 7] });
    const form = new FormData();
    for (const one of ["7", "-", "5"]) form.append("image", one);
    const sent = await ann.fetch("/books/OL2M/manage-covers", { method: "POST", body: form });
    expect(await sent.json()).toEqual({ key: "/books/OL2M", covers: [7] });
  });

  it("can remove all images", async () => {
    expect(await answer("/books/OL10M/manage-covers", "image=-&image=8")).toEqual([
      200,
      { key: "/books/OL10M", covers: [] },
    ]);
    expect((await covers("/books/OL10M")) ?? []).toEqual([]);
  });

  it.each(["", "image=5", "image=x&image=-", "image=-1&image=-"])("refuses %j", async (body) => {
    const { revision } = await read("/books/OL1M");
    const [status, told] = await answer("/books/OL1M/manage-covers", body);
    expect([status, told]).toEqual([422, { detail: [expect.objectContaining({ loc: ["body", "image"] })] }]);
    expect((await read("/books/OL1M")).revision).toBe(revision);
  });

  it("refuses records that the user may not change, and answers 404 for unknown ones", async () => {
    const body = "image=5&image=-";
    expect((await send("/books/OL4M/manage-covers", "image=1&image=-")).status).toBe(403);
    expect(await covers("/books/OL4M")).toEqual([1, 2]);
    expect((await send("/books/OL404M/manage-covers", body)).status).toBe(404);
    expect((await send("/books/OL9M/manage-covers", body)).status).toBe(404);
  });
});

describe("GET …/manage-covers", () => {
  it("shows a form that saves the same images back", async () => {
    await service.load(edition(20, { work: 3, title: "Mice & Men", covers: [5, -1, 7] }));
    const html = await page("/books/OL20M/manage-covers");
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain("<h1>Covers: Mice &amp; Men</h1>");
    expect(html).toContain('src="/b/id/5-M.jpg"');
    expect(html).not.toContain("-1-M.jpg");
    for (const id of html.matchAll(/<input (?!type="hidden")[^>]*id="([^"]+)"/g)) {
      expect(html).toContain(`for="${id[1]}"`);
    }
    expect(formOf(html)).toEqual("shown=5+7&image=5&position-5=1&image=7&position-7=2&image=-");
    expect(await leads(send("/books/OL20M/manage-covers", formOf(html), HTML))).toBe(
      "303 /books/OL20M/manage-covers?saved",
    );
    expect(await covers("/books/OL20M")).toEqual([5, 7]);
  });

  it("shows a work without covers those of its editions", async () => {
    await service.load(
      work(5),
      edition(53, { work: 5, covers: [33] }),
      edition(51, { work: 5, covers: [-1, 31, 32] }),
      edition(52, { work: 5, covers: [32, null] }),
    );
    expect(await service.json("/works/OL5W/manage-covers")).toEqual({
      key: "/works/OL5W",
      covers: [],
      images: [31, 32, 33].map((id) => ({ id, url: `http://carrel.test/w/id/${id}-M.jpg` })),
    });
    const html = await page("/works/OL5W/manage-covers");
    const body = formOf(html).replace("image=31&", "").replace("image=33&", "");
    await send("/works/OL5W/manage-covers", body, HTML);
    expect(await covers("/works/OL5W")).toEqual([32]);
    expect(await service.json("/works/OL5W/manage-covers.json")).toMatchObject({ images: [{ id: 32 }] });
  });
});

describe("GET …/add-cover", () => {
  it("offers a work its editions' covers, and an author a link to Wikidata", async () => {
    await service.load(work(6, { covers: [61] }), edition(61, { work: 6, covers: [61, 62] }));
    const html = await page("/works/OL6W/add-cover");
    expect(html).toContain('name="coverid" value="62"');
    expect(html).not.toContain('value="61"');
    expect(await page("/authors/OL1A/add-photo")).toContain('href="https://www.wikidata.org/wiki/Q42"');
  });

  it("returns the images as JSON", async () => {
    expect(await service.json("/authors/OL1A/add-photo")).toEqual({ key: "/authors/OL1A", photos: [4, 3] });
    const json = await service.fetch("/works/OL2W/add-cover.json", { headers: HTML });
    expect(await json.json()).toEqual({ key: "/works/OL2W", covers: [41] });
  });
});

describe("GET …/add-cover and …/manage-covers", () => {
  it.each(["add-cover", "manage-covers"])(
    "%s redirects to the login and to the target of a redirect",
    async (action) => {
      expect(await leads(service.fetch(`/books/OL1M/${action}`, { headers: HTML }))).toBe(
        `303 /account/login?redirect=${encodeURIComponent(`/books/OL1M/${action}`)}`,
      );
      expect(await leads(ann.fetch(`/books/OL9M/${action}`, { headers: HTML }))).toBe(
        `301 /books/OL1M/${action}`,
      );
      expect((await ann.fetch(`/books/OL404M/${action}`, { headers: HTML })).status).toBe(404);
      expect((await service.fetch(`/books/OL404M/${action}`)).status).toBe(404);
    },
  );
});

describe("GET …/cover and …/photo", () => {
  it.each([
    ["/books/OL1M/cover", "302 http://carrel.test/b/olid/OL1M-L.jpg"],
    ["/books/OL1M/cover?size=S", "302 http://carrel.test/b/olid/OL1M-S.jpg"],
    ["/authors/OL1A/photo?size=M", "302 http://carrel.test/a/olid/OL1A-M.jpg"],
    ["/books/OL9M/cover?size=S", "301 /books/OL1M/cover?size=S"],
  ])("redirects %s", async (path, expected) => {
    expect(await leads(service.fetch(path))).toBe(expected);
  });

  it("refuses unknown records and sizes", async () => {
    expect((await service.fetch("/books/OL404M/cover")).status).toBe(404);
    expect((await service.fetch("/authors/OL404A/photo")).status).toBe(404);
    expect((await service.fetch("/books/OL1M/cover?size=X")).status).toBe(422);
  });
});

/** Returns what a browser sends of the untouched form. */
function formOf(html: string): string {
  const main = mainOf(html);
  const [form = ""] = main.slice(main.indexOf('<form method="post"')).split("</form>");
  const inputs = [...form.matchAll(/<input [^>]*>/g)].map(([tag]): [string, string] => [
    / name="([^"]*)"/.exec(tag)?.[1] ?? "",
    / value="([^"]*)"/.exec(tag)?.[1] ?? "",
  ]);
  return new URLSearchParams(inputs).toString();
}
