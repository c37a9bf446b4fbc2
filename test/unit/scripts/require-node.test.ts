import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../scripts/lib/paths.mjs";

/** Runs a command with a Node that says it has another version. */
function runWith(version: string, command: string): { status: number | null; stderr: string } {
  const versions = `{ value: { ...process.versions, node: "${version}" } }`;
  const older = `data:text/javascript,Object.defineProperty(process, "versions", ${versions})`;
  const args = ["--import", older, path.join(ROOT, command), "--help"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stderr };
}

it.each([
  ["18.19.1", "scripts/start.mjs", "Carrel needs Node 20.19 or newer; this is 18.19.1."],
  ["20.18.0", "scripts/load.mjs", "Carrel needs Node 20.19 or newer; this is 20.18.0."],
  ["20.19.0", "bench/run.mjs", "npm run bench needs Node 22.18 or newer; this is 20.19.0."],
])("Node %s is refused as too old for %s", (version, command, problem) => {
  expect(runWith(version, command)).toEqual({
    status: 1,
    stderr: expect.stringMatching(`^${problem} .*\n$`),
  });
});

it("Node 20.19 is new enough to start", () => {
  expect(runWith("20.19.0", "scripts/start.mjs")).toEqual({ status: 0, stderr: "" });
});
