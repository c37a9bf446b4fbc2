import * as z from "zod";
import { findAccount } from "../../db/accounts/read.ts";
import { addAdministrator } from "../admin/groups.ts";
import { badData } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";

/** Most accounts that one request makes administrators, and largest body, in bytes. */
const ADMINISTRATORS_MAX = 20;
const ADMINISTRATORS_BODY_BYTES = 4096;

/**
 * `POST /system/administrators`: puts accounts into the group `admin`. Administrators do so at `/admin`; this is for a
 * service that has none yet, or none any more. All must be active, else none is put in; nobody is taken out.
 */
export const makeAdministrators = operation({
  id: "makeAdministrators",
  summary: "Make accounts administrators",
  tag: "operation",
  json: z.object({ usernames: z.array(z.string()).min(1).max(ADMINISTRATORS_MAX) }),
  bodyBytes: ADMINISTRATORS_BODY_BYTES,
  responses: {
    200: {
      description: "They are administrators now",
      schema: z.object({ administrators: z.array(z.string()).describe("Usernames") }),
    },
    400: { description: "One of them has no active account" },
  },
  async handle({ json: { usernames } }, context) {
    const { patrons } = context.stores;
    const accounts = await Promise.all(usernames.map((username) => findAccount(patrons, { username })));
    const missing = usernames.find((_username, index) => accounts[index]?.status !== "active");
    if (missing !== undefined) throw badData(`no active account '${missing}'`, { value: missing });
    const names = new Set(accounts.flatMap((account) => account?.username ?? []));
    for (const name of names) await addAdministrator(context, `/people/${name}`);
    return json({ administrators: [...names] }, { cacheControl: NO_STORE });
  },
});
