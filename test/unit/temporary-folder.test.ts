import { spawnSync } from "node:child_process";
import os from "node:os";
import { expect, it } from "vitest";

it("is one that goes with the tests, for programs that they start as well", () => {
  expect(os.tmpdir()).toContain("carrel-tests-");
  const program = 'console.log(require("node:os").tmpdir())';
  const { stdout } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  expect(stdout.trim()).toBe(os.tmpdir());
});
