import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { textOf } from "../../support/worker/page-text.ts";
import { author, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const PATH = "/merges/differing-authors";
const by = (...ids: number[]) => ids.map((id) => ({ key: `/authors/OL${id}A` }));
let librarian: LoggedIn;

beforeAll(async () => {
  await service.load(
    author(1, { name: "Ann" }),
    author(2, { name: "Bob" }),
    redirected("/authors/OL3A", "/authors/OL1A", 1),
    work(1, { authors: [1] }),
    work(2, { authors: [1, 2] }),
    work(3),
    redirected("/works/OL4W", "/works/OL1W", 1),
    edition(1, { work: 1, authors: by(1) }),
    edition(2, { work: 1, authors: by(2), title: "Other" }),
    edition(3, { work: 1, authors: by(3), title: "Merged author" }),
    edition(4, { work: 2, authors: by(2, 1), title: "Other order" }),
    edition(5, { work: 2, authors: by(2), title: "One of two" }),
    edition(6, { work: 1, title: "No author" }),
    edition(7, { work: 3, authors: by(9), title: "" }),
    edition(8, { work: 4, authors: by(2), title: "Merged work" }),
    edition(9, { authors: by(2), title: "Orphan" }),
  );
  librarian = await loggedIn(service, "librarian", { groups: ["librarians"] });
});

describe(`GET ${PATH}`, () => {
  const ann = { key: "/authors/OL1A", name: "Ann" };
  const bob = { key: "/authors/OL2A", name: "Bob" };

  it("lists editions whose authors differ", async () => {
    expect(await librarian.json(`${PATH}.json`)).toEqual({
      entries: [
        { key: "/books/OL2M", title: "Other", work: "/works/OL1W", authors: [bob], work_authors: [ann] },
        {
          key: "/books/OL5M",
          title: "One of two",
          work: "/works/OL2W",
          authors: [bob],
          work_authors: [ann, bob],
        },
        {
          key: "/books/OL7M",
          title: "",
          work: "/works/OL3W",
          authors: [{ key: "/authors/OL9A", name: "/authors/OL9A" }],
          work_authors: [],
        },
      ],
      next: null,
    });
  });

  it("continues after an edition", async () => {
    expect(await librarian.json(`${PATH}.json?after=5`)).toMatchObject({ entries: [{ key: "/books/OL7M" }] });
    expect((await librarian.fetch(`${PATH}.json?after=-1`)).status).toBe(422);
  });

  it("ends a page after 50 editions", async () => {
    const editions = Array.from({ length: 60 }, (_, at) => edition(100 + at, { work: 1, authors: by(2) }));
    await service.load(...editions);
    const { entries, next } = Object(await librarian.json(`${PATH}.json?after=99`));
    expect([entries.length, next]).toEqual([50, `${PATH}.json?after=149`]);
    const rest = Object(await librarian.json(next));
    expect([rest.entries.length, rest.next]).toEqual([10, null]);
  });

  it("is a page for librarians, which the merge requests link", async () => {
    const html = { headers: { Accept: "text/html" } };
    expect(textOf(await (await librarian.fetch(PATH, html)).text())).toContain(
      "One of two Bob OL2W Ann, Bob",
    );
    expect(await (await librarian.fetch("/merges", html)).text()).toContain(`href="${PATH}"`);
    expect(await (await service.fetch("/merges", html)).text()).not.toContain(`href="${PATH}"`);
    expect((await service.fetch(`${PATH}.json`)).status).toBe(401);
  });
});
