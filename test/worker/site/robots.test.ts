import { describe, expect, it } from "vitest";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const rulesOf = async (BASE_URL: string): Promise<string[]> => {
  const response = await testService({ BASE_URL }).fetch("/robots.txt");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  return (await response.text()).split("\n");
};

describe("GET /robots.txt", () => {
  it.each(["", "https://elsewhere.example", `${ORIGIN}:8080`, "http://carrel.test.example"])(
    "disallows everything on a host other than the canonical one: %j",
    async (base) => {
      expect(await rulesOf(base)).toEqual(["User-agent: *", "Disallow: /", ""]);
    },
  );

  it.each([ORIGIN, `${ORIGIN}/`, "https://carrel.test"])("allows the canonical host: %s", async (base) => {
    const rules = await rulesOf(base);
    expect(rules).not.toContain("Disallow: /");
    for (const path of ["/api", "/account", "/advancedsearch", "/*/edit$", "/*borrow*", "/*.rdf$"]) {
      expect(rules.filter((rule) => rule === `Disallow: ${path}`)).toHaveLength(2);
    }
    expect(rules).toContain(`Sitemap: ${base.replace(/\/$/, "")}/sitemap.xml`);
    // Crawlers that are named go by their own group alone.
    expect(rules.indexOf("Crawl-delay: 10")).toBeGreaterThan(rules.indexOf("User-agent: bingbot"));
  });
});
