import { beforeAll, describe, expect, it } from "vitest";
import { ACCEPTANCE } from "../../support/worker/acceptance.ts";
import { deleted, edition } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

beforeAll(async () => {
  await service.load(
    ...ACCEPTANCE,
    edition(2, { identifiers: { amazon: ["B000FC1PJI"] }, isbn_13: ["9798776159572"] }),
    edition(3, { source_records: ["ia:made_from"], isbn_10: ["184115186X"] }),
    edition(4, { ocaid: "with_both", source_records: ["ia:foo00bar"] }),
    edition(5, { isbn_10: ["0451526538"], lccn: ["not an lccn"], oclc_numbers: ["x1"] }),
    edition(6, { isbn_10: ["0451526538"] }),
    edition(7, { isbn_10: ["080442957X"], ocaid: "gone" }),
  );
  await service.load(deleted("/books/OL7M", 2));
});

describe("addresses of identifiers", () => {
  it.each([
    ["/isbn/978-0-14-032872-1.json?high_priority=true&x=1", "/books/OL1M.json?x=1"],
    ["/isbn/9780140328721", "/books/OL1M"],
    ["/ISBN/9780140328721", "/books/OL1M"],
    ["/isbn/9780140328721.rdf", "/books/OL1M.rdf"],
    ["/isbn/9780140328721.yml?a=1&a=2", "/books/OL1M.yml?a=1&a=2"],
    ["/isbn/9780140328721/foo", "/books/OL1M"],
    ["/isbn/184115186x", "/books/OL3M"],
    ["/isbn/9798776159572", "/books/OL2M"],
    ["/isbn/B000FC1PJI", "/books/OL2M"],
    ["/lccn/sa_64009056", "/books/OL1M"],
    ["/lccn/sa64-9056", "/books/OL1M"],
    ["/LCCN/sa64009056.json", "/books/OL1M.json"],
    ["/lccn/Not_an_LCCN", "/books/OL5M"],
    ["/oclc/12345", "/books/OL1M"],
    ["/oclc/ocm00012345", "/books/OL1M"],
    ["/oclc/(OCoLC)12345.json", "/books/OL1M.json"],
    ["/oclc/OCLC:_12345", "/books/OL1M"],
    ["/lccn/LCCN_sa64-9056", "/books/OL1M"],
    ["/oclc/x1.json?v=1", "/books/OL5M.json?v=1"],
    ["/ia/foo00bar", "/books/OL1M"],
    ["/IA/made_from", "/books/OL3M"],
    ["/ia/with_both/page/n5", "/books/OL4M"],
  ])("%s redirects to %s", async (path, target) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await service.fetch(path, { method });
      expect(response.status).toBe(302);
      expect(response.headers.get("Location")).toBe(target);
    }
  });

  it.each([
    ["/isbn/1234567890.json", "/isbn/1234567890"],
    ["/isbn/1234567890", "/isbn/1234567890"],
    ["/isbn/080442957X", "/isbn/080442957X"],
    ["/lccn/99999999", "/lccn/99999999"],
    ["/ia/gone.json", "/ia/gone"],
    ["/ia/nothing", "/ia/nothing"],
    ["/isbn", "/isbn"],
  ])("%s: 404", async (path, key) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toEqual({ error: "notfound", key });
  });
});
