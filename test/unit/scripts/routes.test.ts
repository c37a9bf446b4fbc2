// The whole interface on one page: `npx vitest run --project unit test/unit/scripts/routes.test.ts -u` writes it anew.
import { expect, it } from "vitest";
import { routeLines } from "../../../scripts/lib/route-lines.ts";
import { ROUTES } from "../../../src/worker/routes.ts";

it("routes.txt lists every route with its access level and scope", async () => {
  await expect(routeLines(ROUTES)).toMatchFileSnapshot("routes.txt");
});
