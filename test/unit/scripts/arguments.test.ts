import { describe, expect, it } from "vitest";
import { startArguments } from "../../../scripts/lib/arguments.ts";
import { CommandError } from "../../../scripts/lib/command.ts";

const ports = (args: string[], env = {}) => startArguments(args, env).listeners.map(({ port }) => port);

describe("startArguments", () => {
  it("has the documented ports", () => expect(ports([])).toEqual([8080, 7000, 8983, 7075]));

  it("prefers flags to the environment", () => {
    const args = ["--port", "1", "--record-store-port", "2", "--search-port", "3", "--cover-store-port", "4"];
    expect(ports(args, { PORT: "9" })).toEqual([1, 2, 3, 4]);
    expect(ports([], { PORT: "1", RECORD_STORE_PORT: "2", SEARCH_PORT: "3", COVER_STORE_PORT: "4" })).toEqual(
      [1, 2, 3, 4],
    );
  });

  it("leaves the other ports to the system too if the first one is 0", () => {
    expect(ports(["--port", "0", "--search-port", "3"], { RECORD_STORE_PORT: "2" })).toEqual([0, 0, 3, 0]);
    expect(ports([], { PORT: "0" })).toEqual([0, 0, 0, 0]);
  });

  it("reads the state folder and whether it starts empty", () => {
    expect(startArguments(["--state", "/tmp/x", "--empty"], {})).toMatchObject({
      state: "/tmp/x",
      empty: true,
    });
    expect(startArguments([], { EMPTY: "1", STATE_DIR: "/tmp/y" })).toMatchObject({
      state: "/tmp/y",
      empty: true,
    });
    expect(startArguments([], {}).state).toMatch(/\.wrangler/);
    expect(startArguments(["--bare"], {}).bare).toBe(true);
  });

  it.each([
    [["--port", "-1"]],
    [["--port", ""]],
    [["--port", "x"]],
    [["--port", "65536"]],
    [["--port", "7000"]],
    [["--no-such"]],
  ])("%j is refused with an explanation", (args) =>
    expect(() => startArguments(args, {})).toThrow(CommandError),
  );
});
