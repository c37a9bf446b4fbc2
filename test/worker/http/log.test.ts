import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LOG_TEXT_LENGTH, inLogScope, logLine } from "../../../src/worker/http/log.ts";
import { testService } from "../../support/worker/service.ts";

afterEach(() => vi.restoreAllMocks());

/** Collects lines from here on. */
function lines(): Record<string, unknown>[] {
  const seen: Record<string, unknown>[] = [];
  for (const name of ["log", "warn", "error"] as const) {
    vi.spyOn(console, name).mockImplementation((line) => void seen.push({ by: name, ...JSON.parse(line) }));
  }
  return seen;
}

const scope = (requestId: string, failed = (_event: string): void => {}) => ({
  fields: { requestId },
  failed,
});

describe("logLine", () => {
  it("writes JSON with a level and an event", () => {
    const seen = lines();
    logLine("info", "a", { number: 1 });
    logLine("warn", "b", {});
    logLine("error", "c", { text: "x" });
    expect(seen).toEqual([
      { by: "log", level: "info", event: "a", number: 1 },
      { by: "warn", level: "warn", event: "b" },
      { by: "error", level: "error", event: "c", text: "x" },
    ]);
  });

  it("adds the fields of the request's scope", async () => {
    const seen = lines();
    const failed: string[] = [];
    await Promise.all(
      ["one", "two"].map((id) =>
        inLogScope(
          scope(id, (event) => failed.push(`${id} ${event}`)),
          async () => {
            await scheduler.wait(id === "one" ? 5 : 1);
            logLine("error", `by ${id}`, {});
            logLine("warn", "no failure", {});
          },
        ),
      ),
    );
    expect(seen.map(({ event, requestId }) => [event, requestId])).toEqual([
      ["by two", "two"],
      ["no failure", "two"],
      ["by one", "one"],
      ["no failure", "one"],
    ]);
    expect(failed).toEqual(["two by two", "one by one"]);
    logLine("info", "outside", {});
    expect(seen.at(-1)).toEqual({ by: "log", level: "info", event: "outside" });
  });

  it("hides email addresses in texts", () => {
    const seen = lines();
    const hidden = "could not mail to Ann.Lee+books@mail.example.org: <ann@example.com>, 'b@c.de'";
    logLine("error", "mail", { error: hidden, deep: { list: [hidden] }, shown: "at 5 o'clock @ home" });
    const text = JSON.stringify(seen);
    expect(text).not.toMatch(/Ann|ann@|b@c|example/);
    expect(seen[0]).toMatchObject({
      error: "could not mail to <address>: <<address>>, '<address>'",
      shown: "at 5 o'clock @ home",
    });
    logLine("info", "request", { path: "/people/ann%40example.com/lists" });
    expect(seen[1]).toMatchObject({ path: "/people/<address>/lists" });
  });

  it("hides queries of addresses, also in errors", () => {
    const seen = lines();
    const error =
      "Error: fetch of https://a.test/x.json?key=s3cret&q=what%20else#top failed, as did '/y?a=s3cret'";
    logLine("error", "lookup", { error, path: "/z?q=s3cret", shown: "really? a=b" });
    expect(JSON.stringify(seen)).not.toContain("s3cret");
    expect(seen[0]).toMatchObject({
      error: "Error: fetch of https://a.test/x.json?… failed, as did '/y?…'",
      shown: "really? a=b",
    });
  });

  it("bounds the length of lines", () => {
    const seen = lines();
    logLine("error", "failure", { error: "a".repeat(10 * LOG_TEXT_LENGTH), stack: "@".repeat(1_000_000) });
    expect(String(seen[0]!["error"])).toHaveLength(LOG_TEXT_LENGTH + 1);
    expect(String(seen[0]!["stack"]).length).toBeLessThanOrEqual(LOG_TEXT_LENGTH + 1);
    logLine("error", "failure", { error: `${"x".repeat(LOG_TEXT_LENGTH - 1)}😀` });
    expect(String(seen[1]!["error"]).isWellFormed()).toBe(true);
  });

  it("logs a failed request with the client's request id, without query, cookie or token", async () => {
    const seen = lines();
    const broken = new Proxy(env.CATALOG, {
      get: () => () => {
        throw new Error("secret of the database");
      },
    });
    const response = await testService({ CATALOG: broken }).fetch("/works/OL1W.json?q=private", {
      headers: { Cookie: "x=private", Authorization: "Bearer private" },
    });
    expect([response.status, await response.json()]).toEqual([500, { detail: "Internal Server Error" }]);
    const requestId = response.headers.get("X-Request-Id");
    expect(seen.map(({ event }) => event)).toEqual(["failure", "request"]);
    expect(JSON.stringify(seen)).toContain("secret of the database");
    expect(seen.every((line) => line["requestId"] === requestId)).toBe(true);
    expect(seen[1]).toMatchObject({ operation: "readWork", status: 500, path: "/works/OL1W.json" });
    expect(JSON.stringify(seen)).not.toContain("private");
  });
});
