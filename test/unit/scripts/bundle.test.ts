import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { keepBundle, bundleForRuntime } from "../../../scripts/lib/bundle.ts";
import { ROOT } from "../../../scripts/lib/paths.ts";

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(path.join(os.tmpdir(), "carrel-bundle-"));
});

const bundle = (text: string): { name: string; contents: Uint8Array }[] =>
  ["index.js", "index.js.map", "image.wasm"].map((name) => ({
    name,
    // Two writes of 512 KiB each: other processes could see half a file.
    contents: new TextEncoder().encode(name + text.repeat(200_000)),
  }));
const textsOf = (folder: string): Promise<string[]> =>
  Promise.all(bundle("").map(({ name }) => readFile(path.join(folder, name), "utf8")));
const expected = (text: string): string[] =>
  bundle(text).map(({ contents }) => new TextDecoder().decode(contents));

it("the bundle is complete for concurrent starts, and made once", async () => {
  const found = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const folder = await keepBundle(parent, bundle("one"));
      return { folder, isWhole: (await textsOf(folder)).join() === expected("one").join() };
    }),
  );
  const [first] = found;
  expect(found).toEqual(found.map(() => ({ folder: first?.folder, isWhole: true })));
  expect(await readdir(parent)).toEqual([path.basename(first?.folder ?? "")]);
});

it("the bundle stays while a process uses it, and goes with the second next one", async () => {
  const service = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  const used = await keepBundle(parent, bundle("one"));
  const own = path.join(used, "users", String(process.pid));
  await rename(own, path.join(used, "users", String(service.pid)));
  const next = await keepBundle(parent, bundle("two"));
  expect(await textsOf(used)).toEqual(expected("one"));
  service.kill();
  await once(service, "exit");
  expect(await keepBundle(parent, bundle("two"))).toBe(next);
  expect(await readdir(parent)).toEqual([path.basename(next)]);
  // A process uses what it kept last.
  const last = await keepBundle(parent, bundle("three"));
  expect(await readdir(parent)).toEqual([path.basename(last)]);
});

it("the bundle is made again after a killed build or deletion", async () => {
  const folder = await keepBundle(parent, bundle("one"));
  await rm(path.join(folder, "users"), { recursive: true });
  await writeFile(path.join(folder, "index.js"), "half of");
  await rename(folder, `${folder}.4000000-abcdef`);
  expect(await keepBundle(parent, bundle("one"))).toBe(folder);
  await rm(path.join(folder, "users"), { recursive: true });
  expect(await keepBundle(parent, bundle("one"))).toBe(folder);
  expect(await textsOf(folder)).toEqual(expected("one"));
  expect(await readdir(parent)).toEqual([path.basename(folder)]);
});

it("a bundle is made anew only if a source has changed", async () => {
  const sources = await mkdtemp(path.join(os.tmpdir(), "carrel-sources-"));
  const part = path.join(sources, "part.ts");
  await writeFile(path.join(sources, "main.ts"), 'import { part } from "./part.ts"; console.log(part);');
  await writeFile(part, 'export const part = "one";');
  const main = path.relative(ROOT, path.join(sources, "main.ts"));
  const made = async () => {
    // A source that changes within the millisecond in which a build begins counts as changed.
    await sleep(20);
    const folder = await bundleForRuntime(main, parent);
    return { folder, at: (await stat(path.join(folder, "sources.json"))).ctimeMs };
  };
  const first = await made();
  expect(await made()).toEqual(first);
  await writeFile(part, 'export const part = "two";');
  const second = await made();
  expect(second.folder).not.toBe(first.folder);
  expect(await readFile(path.join(second.folder, "index.js"), "utf8")).toContain('"two"');
  // As a power failure leaves files that had not reached the disk.
  for (const name of ["index.js", "sources.json"]) {
    await writeFile(path.join(second.folder, name), "");
    await made();
    expect(await readFile(path.join(second.folder, "index.js"), "utf8")).toContain('"two"');
  }
  await rm(part);
  await writeFile(path.join(sources, "main.ts"), "console.log(3);");
  expect((await made()).folder).not.toBe(second.folder);
});
