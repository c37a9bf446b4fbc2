import path from "node:path";
import { build } from "esbuild";
import { CommandError } from "./command.mjs";
import { ROOT } from "./paths.mjs";

/** What the worker itself checks its settings with. */
const SCHEMA = path.join(ROOT, "src/worker/settings.ts");

/** @type {Promise<import("zod").ZodType> | undefined} */
let schema;

/**
 * Checks settings and secrets as the worker does, so that none is uploaded with which every request would fail.
 * @param {Record<string, string>} values by name
 */
export async function checkSettings(values) {
  const { error } = (await (schema ??= readSchema())).safeParse(values);
  if (error === undefined) return;
  const problems = error.issues.map(({ path: place, message }) => `${place.join(".")}: ${message}`);
  throw new CommandError(`These settings make no sense:\n${problems.join("\n")}`);
}

/**
 * The schema, out of TypeScript that not every Node reads.
 * @returns {Promise<import("zod").ZodType>}
 */
async function readSchema() {
  const { outputFiles } = await build({ entryPoints: [SCHEMA], bundle: true, format: "esm", write: false });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)).settingsSchema;
}
