/** The worker, and beside it how many rows of D1 its statements have looked at. Bundled for tests, never deployed. */
import { env } from "cloudflare:workers";
import worker from "../../../src/worker/index.ts";

export * from "../../../src/worker/index.ts";

/** Method of a D1 session that sends one statement or several, with a result for each. */
interface Sending {
  _sendOrThrow(endpoint: string, sql: string | string[], ...rest: unknown[]): Promise<Told | Told[]>;
}
interface Told {
  readonly meta: { readonly rows_read?: number };
}

/** Most rows by statement. */
const looked = new Map<string, number>();
// The runtime's own, which its types do not have.
const sessions = Object.getPrototypeOf(env.CATALOG.withSession("first-primary")) as Sending;
const { _sendOrThrow: send } = sessions;
sessions._sendOrThrow = async function noting(endpoint, sql, ...rest) {
  const told = await send.call(this, endpoint, sql, ...rest);
  const all = [told].flat();
  for (const [index, text] of [sql].flat().entries()) {
    looked.set(text, Math.max(looked.get(text) ?? 0, all[index]?.meta.rows_read ?? 0));
  }
  return told;
};

export default {
  ...worker,
  /** `GET /looked-at` answers what there was since it was last asked. */
  fetch(request: Request, bindings: Env, context: ExecutionContext) {
    if (new URL(request.url).pathname !== "/looked-at") return worker.fetch(request, bindings, context);
    const answer = Response.json([...looked]);
    looked.clear();
    return answer;
  },
} satisfies ExportedHandler<Env>;
