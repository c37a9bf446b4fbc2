// The whole interface on one page: `npx vitest run --project unit test/unit/scripts/routes.test.ts -u` writes it anew.
import { expect, it } from "vitest";
import { importSource } from "../../../scripts/lib/import-source.mjs";
import { routeLines } from "../../../scripts/lib/route-lines.mjs";

it("routes and their access levels are those of routes.txt", async () => {
  const { ROUTES } = await importSource("src/worker/routes.ts");
  await expect(routeLines(ROUTES)).toMatchFileSnapshot("routes.txt");
});
