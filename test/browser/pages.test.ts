// One page of each type in a browser: accessible, light, still while it loads, and whole on small screens.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser } from "../../scripts/lib/browser.ts";
import { PAGES, problemsOf } from "../support/browser/pages.ts";

const site = inject("site");
const types = [...new Set(PAGES.map(([type]) => type))];

describe.skipIf(!hasBrowser)("page types", () => {
  it.each(types.map((type, index) => [type, index % 2 === 0 ? "narrow" : "wide"] as const))(
    "%s has no problem in a %s window",
    async (type, mode) => {
      const page = PAGES.find(([name]) => name === type)!;
      expect(await problemsOf(site, page, [mode])).toEqual([]);
    },
  );
});
