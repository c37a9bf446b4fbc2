import { beforeAll, describe, expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";
import { HTML } from "../../support/worker/writing.ts";

const service = testService();
const library = (name: string, members: Record<string, unknown>) => ({
  key: `/libraries/${name}`,
  type: "/type/library",
  status: "approved",
  ...members,
});
const NOTES = [{ note: "Nice", author: { key: "/people/a" } }];

beforeAll(async () => {
  await service.load(
    library("b", {
      name: "Second & <last>",
      website: "javascript:alert(1)",
      addresses: {
        type: "/type/text",
        value: "Main\t hall|1 St|Ulm||89073|Germany|||48.4,9.99\nbroken\nAnnexe||||||||",
      },
      notes: NOTES,
    }),
    library("a", {
      name: "First",
      website: "https://first.example",
      addresses: "|2 St|Oakland|CA||US|||37.8,-122.27\n=Branch||||||||1,2",
    }),
    library("c", { name: "Waiting", status: "pending" }),
    library("d", { name: "Silent" }),
    { key: "/libraries/e", type: "/type/delete" },
    { key: "/libraries/f", type: "/type/page", status: "approved" },
  );
});

describe("GET /libraries", () => {
  it.each(["/libraries", "/libraries.json"])("%s lists approved libraries as JSON", async (path) => {
    const response = await service.fetch(path);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    const records = await response.json<Record<string, unknown>[]>();
    expect(records.map(({ key }) => key)).toEqual(["/libraries/a", "/libraries/b", "/libraries/d"]);
    const { notes: _none, ...rest } = Object(await service.json("/libraries/b.json"));
    expect(records[1]).toEqual(rest);
  });

  it("pages", async () => {
    const keys = async (query: string) =>
      ((await service.json(`/libraries.json?${query}`)) as { key: string }[]).map(({ key }) => key);
    expect(await keys("limit=2")).toEqual(["/libraries/a", "/libraries/b"]);
    expect(await keys("limit=2&offset=2")).toEqual(["/libraries/d"]);
    expect(await keys("limit=0")).toEqual([]);
    expect((await service.fetch("/libraries.json?limit=501")).status).toBe(422);
    expect((await service.fetch("/libraries.json?offset=-1")).status).toBe(422);
  });

  it("shows an HTML list by country", async () => {
    const html = await (await service.fetch("/libraries", { headers: HTML })).text();
    expect(html).toMatch(
      /<h2>Germany<\/h2>[^]*Second &amp; &lt;last&gt;[^]*<h2>US<\/h2>[^]*First[^]*<h2>Elsewhere/,
    );
    expect(html).toContain('href="https://first.example"');
    expect(html).toMatch(/<td[^>]*>Oakland, CA<\/td>/);
    expect(html).not.toContain("javascript:");
    expect(html).toContain('href="/libraries/a/notes"');
    expect(html).not.toContain("Waiting");
    const first = await (await service.fetch("/libraries?limit=1", { headers: HTML })).text();
    expect(first).toContain('href="/libraries?limit=1&amp;offset=1"');
  });
});

it("GET /libraries/locations.txt lists branches for maps", async () => {
  const response = await service.fetch("/libraries/locations.txt");
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const icon = "/images/icons/library.svg\t24,24\t-12,-24";
  expect(await response.text()).toBe(
    [
      "lat\tlon\ttitle\tdescription\ticon\ticonSize\ticonOffset",
      `37.8\t-122.27\tFirst\t2 St, Oakland CA, US\t${icon}`,
      `1\t2\t'=Branch\t\t${icon}`,
      `48.4\t9.99\tMain hall\t1 St, Ulm 89073, Germany\t${icon}`,
      "",
    ].join("\n"),
  );
  expect((await service.fetch("/images/icons/library.svg")).status).toBe(200);
});

describe("GET /libraries/stats", () => {
  it("redirects to the loan statistics", async () => {
    const response = await service.fetch("/libraries/stats");
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/stats/lending"]);
  });

  it("answers the same CSV as the loan statistics", async () => {
    const query = "t=20261101-20261103";
    const [own, other] = await Promise.all([
      service.fetch(`/libraries/stats/internet_archive.csv?${query}`),
      service.fetch(`/stats/lending/libraries/internet_archive.json?download=csv&${query}`),
    ]);
    expect(own.headers.get("Content-Type")).toBe("application/csv");
    expect(own.headers.get("Content-Disposition")).toBe("attachment; filename=internet_archive.csv");
    const text = await own.text();
    expect(text.split("\r\n")).toHaveLength(5);
    expect(text).toMatch(/^Date,Total Loans,PDF Loans,ePub Loans,Bookreader Loans\r\n2026-11-01,/);
    expect(text).toBe(await other.text());
    expect((await service.fetch("/libraries/stats/x.csv?t=never")).status).toBe(422);
  });
});
