import { mkdtempSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Plugin as EsbuildPlugin, build } from "esbuild";
import type { Plugin } from "vite";
import { WORKER_BUILD } from "../../../scripts/lib/bundle.ts";
import { ROOT } from "../../../scripts/lib/paths.ts";

const SOURCE = path.join(ROOT, "src");
/** Name of the bundle, and the patterns by which Vitest leaves it alone to the runtime. */
const BUNDLED_SOURCE = "bundled-source.mjs";
const BUNDLED = new RegExp(`/${BUNDLED_SOURCE}$`);
const NOT_BUNDLED = new RegExp(`^(?!.*/${BUNDLED_SOURCE}$)`);

const PASSWORD_HASH = /\/accounts\/password-hash\.ts$/;
/** Coverage counts by file, and watching reloads single files. */
const IS_PLAIN_RUN =
  process.argv.includes("run") && !process.argv.some((argument) => argument.startsWith("--coverage"));

interface Bundle {
  readonly file: string;
  /** Names that each file of `src` exports, by its path. */
  readonly exports: ReadonlyMap<string, readonly string[]>;
}

/**
 * Serves `src` to the worker's tests from one bundle, which the runtime loads as a native module. Modules that go
 * through Vite cost a round trip and an evaluation each, and there are more than a thousand.
 */
export function bundledSource(): Plugin {
  let bundle: Promise<Bundle> | undefined;
  return {
    name: "bundled-source",
    // Merging would keep the `inline: true` of the pool.
    config(config) {
      Object.assign(config.test?.server?.deps ?? {}, { inline: [NOT_BUNDLED], external: [BUNDLED] });
    },
    async load(id) {
      if (!id.startsWith(SOURCE) || !id.endsWith(".ts")) return undefined;
      if (!IS_PLAIN_RUN) return PASSWORD_HASH.test(id) ? withCheapHash(id) : undefined;
      const { file, exports } = await (bundle ??= bundleSource());
      return reexport(file, id, exports.get(id) ?? []);
    },
  };
}

/** A module that exports what the bundle has of a file. */
function reexport(bundle: string, file: string, names: readonly string[]): string {
  if (names.length === 0) return "export {};";
  const others = names.filter((name) => name !== "default");
  return [
    `import { ${memberOf(file)} as source } from ${JSON.stringify(bundle)};`,
    `export const { ${others.join(", ")} } = source;`,
    names.includes("default") ? "export default source.default;" : "",
  ].join("\n");
}

/** The name under which the bundle exports a file, quoted. */
function memberOf(file: string): string {
  return JSON.stringify(path.relative(SOURCE, file));
}

async function bundleSource(): Promise<Bundle> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => path.join(SOURCE, name));
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), "bundle-")), BUNDLED_SOURCE);
  const contents = files.map((name) => `export * as ${memberOf(name)} from ${JSON.stringify(name)};`);
  const [exports] = await Promise.all([
    exportsOf(files),
    build({
      ...WORKER_BUILD,
      stdin: { contents: contents.join("\n"), resolveDir: ROOT },
      outfile: file,
      plugins: [...WORKER_BUILD.plugins, cheapPasswords],
    }),
  ]);
  return { file, exports };
}

const cheapPasswords: EsbuildPlugin = {
  name: "cheap-passwords",
  setup(building) {
    building.onLoad({ filter: PASSWORD_HASH }, async ({ path: file }) => ({
      contents: await withCheapHash(file),
      loader: "ts",
    }));
  },
};

/** Hashes passwords at no cost: the tests of the worker hash hundreds. */
async function withCheapHash(file: string): Promise<string> {
  const code = await readFile(file, "utf8");
  const cheap = code.replace(/(const COST = ).*;/, "$1{ N: 16, r: 1, p: 1 };");
  if (cheap === code) throw new Error(`${file} does not set COST`);
  return cheap;
}

async function exportsOf(files: string[]): Promise<Map<string, readonly string[]>> {
  const { metafile } = await build({
    entryPoints: files,
    outdir: os.tmpdir(),
    format: "esm",
    write: false,
    metafile: true,
    absWorkingDir: ROOT,
  });
  const outputs = Object.values(metafile.outputs);
  return new Map(outputs.map(({ entryPoint = "", exports }) => [path.join(ROOT, entryPoint), exports]));
}
