import type { RequestContext } from "../http/operation.ts";
import type { Settings } from "../http/settings.ts";
import type { LoadOptions } from "./load-record.ts";

/** Who makes the changes of an import. */
type ImportWriter = Pick<LoadOptions, "author" | "bot" | "ip">;

/** Whoever sends the request. */
export async function requestWriter(context: RequestContext): Promise<ImportWriter> {
  const { key, bot } = await context.actor();
  // The access level of every route that imports has seen to it that there is somebody.
  if (key === null) throw new Error("an import by nobody");
  return { author: key, bot, ip: context.client };
}

/** The account that the service itself imports with. */
export function botWriter({ IMPORT_BOT }: Settings): ImportWriter {
  return { author: `/people/${IMPORT_BOT}`, bot: true, ip: null };
}
