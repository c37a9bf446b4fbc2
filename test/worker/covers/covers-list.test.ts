import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { storedCover, toStore } from "../../support/worker/cover-store.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const ids: number[] = [];
const list = (parameters: string): Promise<Response> =>
  service.fetch(`/system/covers.json?${parameters}`, {
    headers: { Authorization: `Bearer ${env.LOAD_TOKEN}` },
  });

beforeAll(async () => {
  for (const category of ["b", "a", "w", "b"])
    ids.push(await storedCover(service, { category, olid: "OL1X" }));
  await toStore(service, "/b/delete", { id: String(ids[1]) });
});

describe("GET /system/covers.json", () => {
  it("pages through existing covers", async () => {
    const told = [];
    let next: number | null = 0;
    for (let page = 0; next !== null; page += 1) {
      expect(page).toBeLessThan(4);
      const body: { covers: { id: number }[]; next: number | null } = await (
        await list(`after=${next}&limit=2`)
      ).json();
      told.push(...body.covers);
      ({ next } = body);
    }
    expect(told).toEqual(
      [
        [ids[0], "b"],
        [ids[2], "w"],
        [ids[3], "b"],
      ].map(([id, category]) => ({
        id,
        category,
        olid: "OL1X",
        contentType: "image/png",
        bytes: expect.any(Number),
      })),
    );
  });

  it("refuses invalid bounds", async () => {
    for (const parameters of ["limit=0", "limit=1001", "after=-1", "after=x"]) {
      expect([parameters, (await list(parameters)).status]).toEqual([parameters, 422]);
    }
  });
});
