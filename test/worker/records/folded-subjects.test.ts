import { describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const HTML = { Accept: "text/html" };
const html = (path: string, headers = {}) => service.fetch(path, { headers: { ...HTML, ...headers } });

describe("the page of a book with many subjects", () => {
  it("shows the subjects with most works first, in two round trips", async () => {
    const subjects = Array.from({ length: 14 }, (_, index) => `Rare ${index}`);
    const common = { subjects: ["Common", "Frequent"], subject_places: ["Far away"] };
    await service.load(
      { ...work(72), subjects: [...subjects, "Frequent", "Common"] },
      { ...edition(72, { work: 72 }), subjects: [...subjects, "Frequent", "Common"] },
      { ...work(73), ...common },
      { ...work(74), subjects: ["Common"] },
    );
    await indexAll();
    for (const path of ["/works/OL72W/Work_72", "/books/OL72M/Edition_72"]) {
      const shown = [
        ...(await (await html(path)).text()).matchAll(/class="chip" href="\/subjects\/\w+">([^<]+)</g),
      ];
      expect(shown.map(([, name]) => name).slice(0, 3)).toEqual(["Common", "Frequent", "Rare 0"]);
      service.now += 600_000;
      const { headers } = await html(path, { "X-Carrel-Count": "1" });
      expect(headers.get("X-Carrel-Calls")).toMatch(/^sequence=2 .*search=2/);
    }
  });
});
