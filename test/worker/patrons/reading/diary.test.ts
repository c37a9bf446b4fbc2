import { beforeAll, describe, expect, it } from "vitest";
import { formOf, jsonOf } from "../../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
let reader: LoggedIn;
let other: LoggedIn;
let works = 200;

beforeAll(async () => {
  reader = await loggedIn(service, "diarist");
  other = await loggedIn(service, "other_diarist");
});

const newWork = (): string => `/works/OL${(works += 1)}W`;
const checkIn = (work: string, body: unknown, who = reader): Promise<Response> =>
  who.fetch(`${work}/check-ins`, jsonOf(body));
const made = async (work: string, body: unknown, who = reader): Promise<number> => {
  const response = await checkIn(work, body, who);
  expect(response.status).toBe(200);
  const answer = await response.json<{ status: string; id: number }>();
  expect(answer.status).toBe("ok");
  return answer.id;
};
const entries = async (work: string): Promise<unknown> =>
  ((await reader.json(`${work}/check-ins.json`)) as { entries: unknown }).entries;

describe("check-ins", () => {
  it("have a year, a month or a day, at both addresses", async () => {
    const work = newWork();
    const day = await made(work, {
      event_type: 3,
      year: 2026,
      month: 5,
      day: 10,
      edition_key: "/books/OL42M",
    });
    const month = await made(`${work}`, { event_type: "1", year: "2026", month: 4.0 });
    const json = await reader.fetch(
      `${work}/check-ins.json`,
      jsonOf({ event_type: 2, year: 5, event_id: 0 }),
    );
    const { id: year } = await json.json<{ id: number }>();
    expect(new Set([day, month, year]).size).toBe(3);
    expect(await entries(work)).toEqual([
      { id: year, event_type: 2, event_date: "0005", edition_key: null },
      { id: month, event_type: 1, event_date: "2026-04", edition_key: null },
      { id: day, event_type: 3, event_date: "2026-05-10", edition_key: "/books/OL42M" },
    ]);
  });

  it("are private, at both addresses", async () => {
    const work = newWork();
    await made(work, { event_type: 3, year: 2026 });
    for (const path of [`${work}/check-ins`, `${work}/check-ins.json`]) {
      const response = await reader.fetch(path);
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
      expect(await response.json()).toMatchObject({ entries: [{ event_type: 3, event_date: "2026" }] });
      expect((await service.fetch(path)).status).toBe(401);
    }
  });

  it("change date and edition, but neither type nor shelf", async () => {
    const work = newWork();
    const id = await made(work, { event_type: 1, year: 2026, edition_key: "OL1M" });
    expect(await made(work, { event_type: 3, year: 2027, month: 1, event_id: id })).toBe(id);
    expect(await entries(work)).toEqual([
      { id, event_type: 1, event_date: "2027-01", edition_key: "/books/OL1M" },
    ]);
    await made(work, { event_type: 1, year: 2027, event_id: String(id), edition_key: "ol2m" });
    expect(await entries(work)).toMatchObject([{ event_date: "2027", edition_key: "/books/OL2M" }]);
    const shelf = (await reader.json("/people/diarist/books/already-read.json")) as { numFound: number };
    expect(shelf.numFound).toBe(0);
  });

  it("answer 403 for another patron's and 404 for unknown events", async () => {
    const [work, elsewhere] = [newWork(), newWork()];
    const id = await made(work, { event_type: 1, year: 2026 });
    const body = { event_type: 1, year: 2027, event_id: id };
    const foreign = await checkIn(work, body, other);
    expect([foreign.status, await foreign.json()]).toEqual([403, { detail: "Forbidden" }]);
    for (const [path, event] of [
      [elsewhere, id],
      [work, 987_654],
    ] as const) {
      const response = await checkIn(path, { ...body, event_id: event });
      expect([response.status, await response.json()]).toEqual([404, { detail: "Event not found" }]);
    }
    expect(await entries(work)).toMatchObject([{ event_date: "2026" }]);
  });

  it("are deleted once, by their owner", async () => {
    const work = newWork();
    const id = await made(work, { event_type: 1, year: 2026 });
    const remove = (who: Pick<LoggedIn, "fetch">): Promise<Response> =>
      who.fetch(`/check-ins/${id}`, { method: "DELETE" });
    expect((await remove(service)).status).toBe(401);
    const foreign = await remove(other);
    expect([foreign.status, await foreign.json()]).toEqual([403, { detail: "Forbidden" }]);
    const response = await remove(reader);
    expect([response.status, await response.text(), response.headers.get("Content-Type")]).toEqual([
      200,
      "",
      null,
    ]);
    for (const who of [reader, other]) {
      const again = await remove(who);
      expect([again.status, await again.json()]).toEqual([404, { detail: "Event does not exist" }]);
    }
    expect((await reader.fetch("/check-ins/0", { method: "DELETE" })).status).toBe(422);
  });

  it.each([
    [{ year: 2026 }, [["missing", "body", "event_type"]]],
    [{ event_type: 4, year: 2026 }, [["value_error", "body", "event_type"]]],
    [
      { event_type: 1.5, year: "x" },
      [
        ["int_from_float", "body", "event_type"],
        ["int_parsing", "body", "year"],
      ],
    ],
    [
      { event_type: 1, year: 0, month: 99, day: 99 },
      [
        ["greater_than", "body", "year"],
        ["less_than_equal", "body", "month"],
        ["less_than_equal", "body", "day"],
      ],
    ],
    [{ event_type: 1, year: 2026, day: 1 }, [["value_error", "body"]]],
    [{ event_type: 1, year: 2026, month: 2, day: 31 }, [["value_error", "body"]]],
    [
      { event_type: 1, year: 2026, edition_key: "OL1W" },
      [["string_pattern_mismatch", "body", "edition_key"]],
    ],
    [[], [["model_attributes_type", "body"]]],
  ])("refuse %o", async (body, failures) => {
    const response = await checkIn(newWork(), body);
    expect(response.status).toBe(422);
    const { detail } = await response.json<{ detail: { type: string; loc: string[] }[] }>();
    expect(detail.map(({ type, loc }) => [type, ...loc])).toEqual(failures);
  });

  it("Q215: can be added and deleted by forms", async () => {
    const work = newWork();
    const people = { Accept: "text/html" };
    const send = (fields: Record<string, string>): Promise<Response> =>
      reader.fetch(`${work}/check-ins/add`, formOf({ redir_url: "/books/x", ...fields }, people));
    for (const date of ["2024-02-29", "2024-02", "0007"]) {
      const response = await send({ date });
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/books/x"]);
    }
    expect(await entries(work)).toMatchObject([
      { event_date: "0007", event_type: 3 },
      { event_date: "2024-02" },
      { event_date: "2024-02-29" },
    ]);
    for (const date of ["2023-02-29", "24", "0000", "2024-13", ""])
      expect((await send({ date })).status).toBe(422);
    const asked = await send({ date: "12/03/2026" });
    const page = await asked.text();
    expect([asked.status, page]).toEqual([
      422,
      expect.stringContaining("12/03/2026 could be two different days"),
    ]);
    for (const day of ["2026-03-12", "2026-12-03"]) expect(page).toContain(`name="date" value="${day}"`);
    expect(await entries(work)).toHaveLength(3);
    const [first] = (await entries(work)) as { id: number }[];
    const path = `/check-ins/${first?.id}/delete?redir_url=/books/y`;
    const deleted = await reader.fetch(path, formOf({}, people));
    expect([deleted.status, deleted.headers.get("Location")]).toEqual([303, "/books/y"]);
    expect(await entries(work)).toHaveLength(2);
  });
});

describe("reading goals", () => {
  const goals = async (query = ""): Promise<unknown> => reader.json(`/reading-goal.json${query}`);
  const save = async (fields: Record<string, string>): Promise<unknown[]> => {
    const response = await reader.fetch("/reading-goal.json", formOf(fields));
    return [response.status, await response.json()];
  };
  const OK = [200, { status: "ok" }];

  it("are set, replaced, changed and removed", async () => {
    expect(await goals()).toEqual({ status: "ok", goal: [] });
    expect(await save({ goal: "25" })).toEqual(OK);
    expect(await save({ goal: "12", year: "2025" })).toEqual(OK);
    expect(await save({ goal: "13", year: "2025" })).toEqual(OK);
    expect(await goals()).toEqual({
      status: "ok",
      goal: [
        { year: 2025, goal: 13 },
        { year: 2026, goal: 25 },
      ],
    });
    expect(await goals("?year=2026")).toEqual({ status: "ok", goal: [{ year: 2026, goal: 25 }] });
    expect(await goals("?year=1999")).toEqual({ status: "ok", goal: [] });
    expect(await save({ goal: "30", year: "2026", is_update: "" })).toEqual(OK);
    expect(await save({ goal: "5", year: "2027", is_update: "1" })).toEqual(OK);
    expect(await save({ goal: "0", year: "2025", is_update: "1" })).toEqual(OK);
    expect(await save({ year: "2025", is_update: "1" })).toEqual(OK);
    expect(await goals()).toMatchObject({
      goal: [
        { year: 2026, goal: 30 },
        { year: 2027, goal: 5 },
      ],
    });
    const json = await reader.fetch("/reading-goal.json", jsonOf({ goal: 31 }));
    expect(json.status).toBe(200);
    expect(await goals("?year=2026")).toMatchObject({ goal: [{ goal: 31 }] });
    expect(await save({ goal: "32", year: "" })).toEqual(OK);
    expect(await goals("?year=2026")).toMatchObject({ goal: [{ goal: 32 }] });
  });

  it.each([
    [{}, ["body"], "Value error, Reading goal must be a positive integer"],
    [{ goal: "0", year: "2026" }, ["body"], "Value error, Reading goal must be a positive integer"],
    [{ goal: "3", is_update: "1" }, ["body"], "Value error, Year required to update reading goals"],
    [{ goal: "10001" }, ["body", "goal"], "Input should be less than or equal to 10000"],
    [{ goal: "-1" }, ["body", "goal"], "Input should be greater than or equal to 0"],
    [
      { goal: "3", year: "x" },
      ["body", "year"],
      "Input should be a valid integer, unable to parse string as an integer",
    ],
    [{ goal: "3", year: "10000" }, ["body", "year"], "Input should be less than or equal to 9999"],
  ])("refuse %o", async (fields, loc, msg) => {
    expect(await save({ ...fields })).toMatchObject([422, { detail: [{ loc, msg }] }]);
  });

  it("are private, and bound the year", async () => {
    expect(await other.json("/reading-goal.json")).toEqual({ status: "ok", goal: [] });
    expect((await service.fetch("/reading-goal.json")).status).toBe(401);
    const response = await reader.fetch("/reading-goal.json?year=-1");
    expect(response.status).toBe(422);
    expect((await reader.fetch("/reading-goal.json")).headers.get("Cache-Control")).toBe("private, no-store");
  });

  it("count finished works once in their progress", async () => {
    const [one, two] = [newWork(), newWork()];
    const piece = async (year: number): Promise<string> =>
      ((await other.json(`/partials/ReadingGoalProgress.json?year=${year}`)) as { partials: string })
        .partials;
    await made(one, { event_type: 3, year: 2024, month: 1 }, other);
    await made(one, { event_type: 3, year: 2024, month: 2, day: 1 }, other);
    await made(two, { event_type: 3, year: 2024 }, other);
    await made(newWork(), { event_type: 1, year: 2024 }, other);
    await made(newWork(), { event_type: 3, year: 2025 }, other);
    expect(await piece(2024)).toContain("You’ve read 2 books in 2024.");
    await other.fetch("/reading-goal.json", formOf({ goal: "3", year: "2024" }));
    expect(await piece(2024)).toContain("2 of 3 books in 2024 (66%)");
    await other.fetch("/reading-goal.json", formOf({ goal: "1", year: "2024" }));
    expect(await piece(2024)).toMatch(/2 of 1 books in 2024 \(200%\).*value="1"/s);
    expect((await service.fetch("/partials/ReadingGoalProgress.json")).status).toBe(401);
  });
});
