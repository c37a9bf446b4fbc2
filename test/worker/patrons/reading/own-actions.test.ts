import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { READING_ROUTES } from "../../../../src/worker/patrons/routes.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { losing } from "../../../support/worker/queues.ts";
import { type TestService, testService } from "../../../support/worker/service.ts";
import { emptyStores } from "../../../support/worker/stored.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const json = (value: unknown) => ({ body: JSON.stringify(value), headers: JSON_TYPE });
const form = (fields: Record<string, string>) => ({ body: new URLSearchParams(fields) });
const checkIn = json({ event_type: 3, year: 2026 });

/** A request for each route whose operation checks the session itself, by method and path of the route without `.json`. */
const ACTIONS: Readonly<Record<string, Pick<RequestInit, "body" | "headers">>> = {
  "POST /works/XX{work_id}W/bookshelves": form({ bookshelf_id: "1" }),
  "POST /works/XX{work_id}W/ratings": form({ rating: "5" }),
  "POST /works/XX{work_id}W/notes": form({ notes: "a note" }),
  "POST /works/XX{work_id}W/observations": json({ action: "add", observation: { Mood: "Dark" } }),
  "DELETE /works/XX{work_id}W/observations": {},
  "POST /works/XX{work_id}W/observations/own": form({ observed: "1.4" }),
  "POST /works/XX{work_id}W/check-ins": checkIn,
  "POST /works/XX{work_id}W/check-ins/add": form({ date: "2025" }),
  "DELETE /check-ins/{check_in_id}": {},
  "POST /check-ins/{check_in_id}/delete": {},
  "POST /api/like": json({ key: "/works/OL1W" }),
  "DELETE /api/like": json({ key: "/works/OL1W" }),
};

let service: TestService;
let ann: LoggedIn;

beforeEach(async () => {
  await emptyStores();
  service = testService();
  ann = await loggedIn(service, "ann");
});

const object = () => env.PATRON.getByName("ann");

/** Sends the request of a route. `check_in_id` is the number of a check-in that the patron has. */
async function act(name: string, request: RequestInit = ACTIONS[name] ?? {}): Promise<Response> {
  const [method = "", path = ""] = name.split(" ");
  const concrete = path.replace("XX{work_id}W", "OL1W").replace("{check_in_id}", "7");
  return ann.fetch(concrete, { method, ...request });
}

function addCheckIn() {
  const checkInOf = { work: 1, edition: null, type: 3, date: "2026", now: service.now } as const;
  return object().diary.add({ ...checkInOf, reserved: [7] });
}

/** Returns how many changes the patron's object has marked. */
const changes = (): Promise<number> =>
  runInDurableObject(object(), (_object, { storage }) => {
    const rows = storage.sql.exec("SELECT value FROM state WHERE name = 'sequence'").toArray();
    return Number(rows[0]?.["value"] ?? 0);
  });

describe("actions that check their session at the patron's object", () => {
  it("are all listed here", () => {
    const routes = READING_ROUTES.filter(({ sessionCheckedByPatron }) => sessionCheckedByPatron);
    const names = routes.map(({ method, path }) => `${method} ${path.replace(/\.json$/, "")}`);
    expect(new Set(names)).toEqual(new Set(Object.keys(ACTIONS)));
  });

  it.each(Object.keys(ACTIONS))("change nothing after the session was closed: %s", (name) =>
    losing(async () => {
      await addCheckIn();
      const before = await changes();
      expect((await act(name)).status).toBe(200);
      expect(await changes()).toBeGreaterThan(before);
      if (name.includes("check_in_id")) await addCheckIn();
      const after = await changes();
      await object().closeSessions();
      const refused = await act(name);
      expect([refused.status, refused.headers.get("Set-Cookie")]).toEqual([
        401,
        "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
      ]);
      expect(await changes()).toBe(after);
    }),
  );

  it.each([
    ["POST /works/XX{work_id}W/bookshelves", { bookshelf_id: "9" }],
    ["POST /works/XX{work_id}W/ratings", { rating: "9" }],
    ["POST /works/XX{work_id}W/check-ins/add", { date: "soon" }],
  ])("tell clients with a closed session of no other mistake: %s", async (name, fields) => {
    const request = { ...form(fields), headers: { Accept: "text/html" } };
    const mistaken = await act(name, request);
    expect(mistaken.status).toBe(422);
    await mistaken.body?.cancel();
    await object().closeSessions();
    expect((await act(name, request)).status).toBe(401);
  });

  it("are refused after the account was blocked or made read-only", async () => {
    const [name = ""] = Object.keys(ACTIONS);
    expect((await act(name)).status).toBe(200);
    await service.load({
      key: "/usergroup/read-only",
      type: "/type/usergroup",
      members: [{ key: ann.key }],
    });
    expect((await act(name)).status).toBe(403);
    await object().bar(true);
    expect((await act(name)).status).toBe(401);
  });

  it("go to the target of a work that was merged meanwhile", async () => {
    const [name = ""] = Object.keys(ACTIONS);
    expect((await act(name)).status).toBe(200);
    await service.load(
      { key: "/works/OL1W", type: "/type/redirect", location: "/works/OL2W" },
      { key: "/works/OL2W", type: "/type/work", title: "Two" },
    );
    expect((await act(name)).status).toBe(200);
    expect(await object().shelves.entry(2)).toMatchObject({ shelf: 1 });
  });
});
