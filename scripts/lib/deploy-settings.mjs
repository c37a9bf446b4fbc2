import { CommandError } from "./command.mjs";
import { importSource } from "./import-source.mjs";

/** What the worker itself checks its settings with. */
const SCHEMA = "src/worker/settings.ts";

/** @type {Promise<any> | undefined} */
let source;

/**
 * Checks settings and secrets as the worker does, so that none is uploaded with which every request would fail.
 * @param {Record<string, string>} values by name
 */
export async function checkSettings(values) {
  source ??= importSource(SCHEMA);
  /** @type {{ settingsSchema: import("zod").ZodType }} */
  const { settingsSchema } = await source;
  const { error } = settingsSchema.safeParse(values);
  if (error === undefined) return;
  const problems = error.issues.map(({ path: place, message }) => `${place.join(".")}: ${message}`);
  throw new CommandError(`These settings make no sense:\n${problems.join("\n")}`);
}
