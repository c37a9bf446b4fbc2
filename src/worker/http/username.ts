import { lastSegment } from "../../catalog/keys.ts";
import { findUserKey } from "../../db/records/users.ts";
import { CarrelError } from "./errors.ts";
import { type RequestContext, catalogReader } from "./operation.ts";
import type { Reply } from "./reply.ts";

type Path = Readonly<Record<string, string>>;

/**
 * Answers a request whose path names a patron, whatever the case of the name (Q144). What changes something gets the
 * patron's own spelling at once; what reads only where there is nothing by the name, or nothing that may be seen.
 */
export async function whateverTheCase(
  path: Path,
  context: RequestContext,
  answer: (path: Path) => Promise<Reply>,
): Promise<Reply> {
  const { username } = path;
  if (username === undefined) return answer(path);
  const isReading = context.request.method === "GET" || context.request.method === "HEAD";
  try {
    return await answer(isReading ? path : { ...path, username: await ownSpelling(username, context) });
  } catch (error) {
    const isMissing = error instanceof CarrelError && (error.status === 404 || error.status === 403);
    const own = isReading && isMissing ? await ownSpelling(username, context) : username;
    if (own === username) throw error;
    return answer({ ...path, username: own });
  }
}

async function ownSpelling(username: string, context: RequestContext): Promise<string> {
  const own = (await context.session())?.username;
  if (own?.toLowerCase() === username.toLowerCase()) return own;
  const key = await findUserKey(catalogReader(context), username);
  return key === undefined ? username : lastSegment(key);
}
