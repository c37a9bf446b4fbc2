// What the pages of a book tell the patron who has borrowed it, or waits for it.
import { beforeAll, describe, expect, it } from "vitest";
import { addItem } from "../../support/worker/holdings.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "http://carrel.example" });
const HTML = { Accept: "text/html" };
const PAGES = ["/books/OL1M/Dune", "/works/OL1W/Dune"];

let holder: LoggedIn;
let first: LoggedIn;
let second: LoggedIn;

beforeAll(async () => {
  await addItem("lentscan", ["inlibrary"]);
  await addItem("otherscan", ["inlibrary"]);
  await service.load(
    work(1, { title: "Dune" }),
    edition(1, { work: 1, title: "Dune", ocaid: "lentscan" }),
    work(2, { title: "Emma" }),
    edition(2, { work: 2, title: "Emma", ocaid: "otherscan" }),
  );
  holder = await loggedIn(service, "ownholder");
  first = await loggedIn(service, "ownfirst");
  second = await loggedIn(service, "ownsecond");
});

async function act(patron: LoggedIn, action: string): Promise<void> {
  const headers = { Accept: "application/json", Origin: "http://carrel.example" };
  const response = await patron.fetch(`/books/OL1M/x/borrow?action=${action}`, { method: "POST", headers });
  expect(response.status, action).toBe(200);
}

/** How the book can be read, as a page says it to a patron; undefined: to somebody without a session. */
async function shown(path: string, patron?: LoggedIn): Promise<string> {
  const response = await (patron ?? service).fetch(path, { headers: HTML });
  expect(response.status).toBe(200);
  return response.text();
}

const actions = (body: string): string[] =>
  [...body.matchAll(/name="action" value="([^"]+)"/g)].map(([, action]) => action ?? "");

describe("the page of a book that is lent", () => {
  it("offers the holder to read and to return it, and no others that", async () => {
    await act(holder, "borrow");
    for (const path of PAGES) {
      const own = await shown(path, holder);
      expect(own).toMatch(/You have borrowed it until <time[^>]*>\d{4}-\d\d-\d\d/);
      expect(own).toContain('<a href="/books/OL1M/x/borrow?action=read">Read<span');
      expect(actions(own)).toEqual(["return"]);
      for (const body of [await shown(path, first), await shown(path)]) {
        expect(body).not.toContain("You have borrowed it");
        expect(actions(body)).toEqual(["join-waitinglist"]);
      }
    }
    expect(actions(await shown("/books/OL2M/Emma", holder))).toEqual(["borrow"]);
  });

  it("tells who waits the place, and whose turn it is that a copy is kept", async () => {
    await act(first, "join-waitinglist");
    await act(second, "join-waitinglist");
    for (const path of PAGES) {
      const waits = await shown(path, second);
      expect(waits).toContain("You wait for it: your place is 2 of 2.");
      expect(actions(waits)).toEqual(["leave-waitinglist"]);
    }
    await act(holder, "return");
    for (const path of PAGES) {
      const turn = await shown(path, first);
      expect(turn).toMatch(/It is your turn: a copy is kept for you until <time/);
      expect(actions(turn)).toEqual(["borrow", "leave-waitinglist"]);
      expect(actions(await shown(path, second))).toEqual(["leave-waitinglist"]);
      expect(actions(await shown(path, holder))).toEqual(["join-waitinglist"]);
    }
    await act(first, "borrow");
    expect(actions(await shown(PAGES[0] ?? "", first))).toEqual(["return"]);
  });

  it("is nobody else's", async () => {
    const response = await holder.fetch(PAGES[0] ?? "", { headers: HTML });
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  });
});
