import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import path from "node:path";
import { type BuildOptions, type Plugin, type SameShape, build, context, stop } from "esbuild";
import { codeOf } from "./command.ts";
import { isRunning } from "./processes.ts";
import { BUNDLE, BUNDLES, DEPLOYED_BUNDLE, ROOT } from "./paths.ts";

/** Name that esbuild gives to a module of a split bundle. */
const HASHED_NAMES = /[\w-]+-[A-Z0-9]{8}\.js/g;
const HASHED_NAME = /^[\w-]+-[A-Z0-9]{8}\.js$/;

/** Subfolder of a bundle with a file per process that uses it, named by process id. */
const USERS = "users";

let builds = 0;

/** Builds, and ends esbuild's process after the last of concurrent builds: else it stays as long as this one, with 400 MB. */
export async function buildAndStop<Options extends BuildOptions>(options: SameShape<BuildOptions, Options>) {
  builds += 1;
  try {
    return await build(options);
  } finally {
    builds -= 1;
    if (builds === 0) await stop();
  }
}

/** Turns `require` calls of CommonJS packages for Node modules into imports, as the bundle is an ES module. */
export const requiredModules: Plugin = {
  name: "required-modules",
  setup(bundling) {
    const namespace = "required-module";
    const filter = new RegExp(`^(?:node:)?(?:${builtinModules.join("|")})$`);
    bundling.onResolve({ filter }, ({ path: name, kind }) =>
      kind === "require-call" ? { path: name.replace(/^node:/, ""), namespace } : undefined,
    );
    bundling.onLoad({ filter: /^/, namespace }, ({ path: name }) => ({
      contents: `import all from "node:${name}"; module.exports = all;`,
    }));
  },
};

/** esbuild options of the worker, for services and tests. */
export const WORKER_BUILD = {
  bundle: true,
  // Else esbuild escapes each letter of other scripts, in six bytes instead of two.
  charset: "utf8" as const,
  format: "esm" as const,
  target: "es2024",
  platform: "neutral" as const,
  mainFields: ["workerd", "module", "main"],
  conditions: ["workerd", "worker", "browser"],
  // The package of PostgreSQL can use another one, of compiled code.
  external: ["cloudflare:*", "node:*", "pg-native"],
  // Compiled code stays a file beside the bundle: the runtime takes it as a module.
  loader: { ".wasm": "copy" as const },
  assetNames: "[name]",
  plugins: [requiredModules],
};

/**
 * Bundles the worker for a deploy: a module for the start and one for every part that a request may import, so that an
 * isolate compiles only what its requests need.
 */
export async function bundleForDeploy(main: string) {
  await rm(DEPLOYED_BUNDLE, { recursive: true, force: true });
  const { outputFiles } = await build({
    ...WORKER_BUILD,
    entryPoints: [{ in: path.join(ROOT, main), out: path.parse(BUNDLE).name }],
    outdir: DEPLOYED_BUNDLE,
    splitting: true,
    minify: true,
    // Not uploaded: for the stacks of logged failures.
    sourcemap: "external",
    write: false,
  });
  await mkdir(DEPLOYED_BUNDLE, { recursive: true });
  for (const { name, contents } of withShortNames(outputFiles))
    await writeFile(path.join(DEPLOYED_BUNDLE, name), contents);
}

/** Numbers the modules of a bundle: their names with hashes, in thousands of imports, are 4 % of its size. */
function withShortNames(files: readonly { path: string; contents: Uint8Array; text: string }[]) {
  const hashed = files.map((file) => path.basename(file.path)).filter((name) => HASHED_NAME.test(name));
  const names = new Map(hashed.map((name, index) => [name, `${index.toString(36)}.js`]));
  return files.map((file) => {
    const [own = "", map = ""] = path.basename(file.path).split(/(?<=\.js)(?=\.map$)/);
    const isCode = own.endsWith(".js") && map === "";
    const contents = isCode
      ? file.text.replace(HASHED_NAMES, (name) => names.get(name) ?? name)
      : file.contents;
    return { name: (names.get(own) ?? own) + map, contents };
  });
}

/** File of a bundle that lists what it was made of. */
const SOURCES = "sources.json";
/** Files that decide about a bundle without being part of it. */
const BESIDE = ["package.json", "package-lock.json", "tsconfig.json", "scripts/lib/bundle.ts"];

/** Origin of a bundle. Paths of sources are below the root, and names of files in the folder of the bundle. */
interface Origin {
  readonly main: string;
  readonly sources: Readonly<Record<string, readonly [bytes: number, changed: number]>>;
  readonly files: Readonly<Record<string, number>>;
}

/** Returns the folder of a bundle for the local runtime. One whose sources have not changed since is taken again. */
export async function bundleForRuntime(main: string, parent = BUNDLES): Promise<string> {
  const made = await findBundle(main, parent);
  if (made !== undefined) return made;
  const begun = Date.now();
  const { outputFiles, metafile } = await buildAndStop({
    ...runtimeBuildOptions(main, parent),
    metafile: true as const,
  });
  const files = toFiles(outputFiles);
  const folder = await keepBundle(parent, files);
  const inputs = Object.keys(metafile.inputs).filter((name) => !name.startsWith("required-module:"));
  const sources = await readSources([...inputs, ...BESIDE]);
  // A source that changed meanwhile may have been read before.
  if (sources === undefined || Object.values(sources).some(([, changed]) => changed >= begun)) return folder;
  const sizes = Object.fromEntries(files.map(({ name, contents }) => [name, contents.length]));
  const own = path.join(folder, `${SOURCES}.${process.pid}`);
  await writeFile(own, JSON.stringify({ main, sources, files: sizes } satisfies Origin));
  await rename(own, path.join(folder, SOURCES));
  return folder;
}

async function findBundle(main: string, parent: string): Promise<string | undefined> {
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = path.join(parent, name);
    const origin = await readOrigin(folder);
    if (origin === undefined || origin.main !== main) continue;
    const now = await readSources(Object.keys(origin.sources));
    if (JSON.stringify(now) !== JSON.stringify(origin.sources)) continue;
    if (!(await isWhole(folder, origin))) await discard(folder);
    else if (await claim(folder)) return folder;
  }
  return undefined;
}

/** Returns undefined if the origin is unknown. */
async function readOrigin(folder: string): Promise<Origin | undefined> {
  const text = await readFile(path.join(folder, SOURCES), "utf8").catch(() => "");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns false if the machine stopped before all files had reached the disk. */
async function isWhole(folder: string, { files }: Origin): Promise<boolean> {
  const checks = Object.entries(files).map(async ([name, bytes]) => {
    const { size } = await stat(path.join(folder, name));
    return size === bytes;
  });
  return Promise.all(checks).then(
    (found) => found.every(Boolean),
    () => false,
  );
}

/** Returns undefined if a file is missing. */
async function readSources(names: readonly string[]): Promise<Origin["sources"] | undefined> {
  const entries = names.map(async (name) => {
    const { size, ctimeMs } = await stat(path.join(ROOT, name));
    return [name, [size, ctimeMs]] as const;
  });
  return Promise.all(entries).then(Object.fromEntries, () => undefined);
}

/** Bundles the worker for the local runtime whenever a source changes. `folder` changes with every rebuild. */
export async function watchBundle(main: string, onRebuilt: (folder: string) => Promise<void>) {
  let folder = "";
  const keep: Plugin = {
    name: "keep",
    setup: (bundling) => {
      bundling.onEnd(async ({ errors, outputFiles = [] }) => {
        if (errors.length > 0) return;
        const before = folder;
        folder = await keepBundle(BUNDLES, toFiles(outputFiles));
        if (before !== "" && folder !== before) await onRebuilt(folder);
      });
    },
  };
  const options = runtimeBuildOptions(main, BUNDLES);
  const building = await context({ ...options, plugins: [...options.plugins, keep] });
  await building.rebuild();
  return { folder, watch: () => building.watch(), dispose: () => building.dispose() };
}

function runtimeBuildOptions(main: string, parent: string) {
  return {
    ...WORKER_BUILD,
    entryPoints: [{ in: path.join(ROOT, main), out: path.parse(BUNDLE).name }],
    // As deep as the folder that it is put into: the source map counts from there.
    outdir: path.join(parent, "bundle"),
    absWorkingDir: ROOT,
    splitting: true,
    write: false as const,
    minifyWhitespace: true,
    sourcemap: "linked" as const,
    logLevel: "warning" as const,
  };
}

function toFiles(files: readonly { path: string; contents: Uint8Array }[]) {
  return files.map((file) => ({ name: path.basename(file.path), contents: file.contents }));
}

/**
 * Writes the files of a bundle atomically to a folder named by their hash, and deletes bundles that no running process
 * uses. A process uses only the bundle it kept last. Returns the folder.
 */
export async function keepBundle(
  parent: string,
  files: { name: string; contents: Uint8Array }[],
): Promise<string> {
  const folder = path.join(parent, hashOf(files));
  for (let tries = 0; !(await claim(folder)); tries += 1) {
    // Unusable: it is being deleted, or its deletion was interrupted.
    if (tries > 0) await discard(folder);
    await publish(folder, files);
  }
  for (const name of await readdir(parent)) {
    if (path.join(parent, name) !== folder) await sweep(path.join(parent, name));
  }
  return folder;
}

function hashOf(files: { name: string; contents: Uint8Array }[]) {
  const hash = createHash("sha256");
  for (const { name, contents } of files) hash.update(`${name}\n${contents.length}\n`).update(contents);
  return hash.digest("hex").slice(0, 16);
}

/** Registers this process as a user of a bundle. Returns false if the bundle is gone. */
async function claim(folder: string) {
  return succeeds(writeFile(path.join(folder, USERS, String(process.pid)), ""), ["ENOENT"]);
}

async function publish(folder: string, files: { name: string; contents: Uint8Array }[]) {
  await mkdir(path.dirname(folder), { recursive: true });
  const own = await mkdtemp(`${folder}.${process.pid}-`);
  for (const { name, contents } of files) await writeFile(path.join(own, name), contents);
  await mkdir(path.join(own, USERS));
  const isFirst = await succeeds(rename(own, folder), ["ENOTEMPTY", "EEXIST"]);
  if (!isFirst) await rm(own, { recursive: true });
}

/** Deletes a bundle without running users, or the unfinished bundle of a process that ended. */
async function sweep(folder: string) {
  const writer = /\.(\d+)-\w+$/.exec(folder)?.[1];
  if (writer !== undefined) {
    if (!(await isRunning(Number(writer)))) await rm(folder, { recursive: true, force: true });
    return;
  }
  const users = path.join(folder, USERS);
  for (const user of await readdir(users).catch(() => [])) {
    const isUser = Number(user) !== process.pid && (await isRunning(Number(user)));
    if (!isUser) await rm(path.join(users, user), { force: true });
  }
  // A process that claims it meanwhile either fails, or makes this fail.
  if (await succeeds(rmdir(users), ["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"])) await discard(folder);
}

/** Renames a folder, so that it disappears atomically, and deletes it. */
async function discard(folder: string) {
  const own = await mkdtemp(`${folder}.${process.pid}-`);
  await succeeds(rename(folder, own), ["ENOENT"]);
  await rm(own, { recursive: true });
}

/** Returns false for a failure with one of these codes. */
export async function succeeds(work: Promise<unknown>, codes: string[]) {
  try {
    await work;
    return true;
  } catch (error) {
    if (codes.includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}
