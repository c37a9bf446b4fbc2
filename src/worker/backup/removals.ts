import * as z from "zod";
import { parseDatetime } from "../../catalog/datetime.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import { readRemovedAt } from "../../db/patrons/unsaved.ts";
import { readUsernames } from "../../db/records/users.ts";
import { operation } from "../http/operation.ts";
import { readJsonBody } from "../http/request-body.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { removeAgain } from "../patrons/data/removal.ts";

/** Users whose names are compared with those of removed accounts per call, and removals that it starts. */
const USERS_AT_ONCE = 500;
const REMOVALS_AT_ONCE = 25;
const BODY_BYTES = 1024;

/**
 * `POST /system/backup/removals`: has accounts removed again that a backup from before has brought back: their rows, and
 * the texts of their users in records and the log of changes.
 */
export const removeRestored = operation({
  id: "removeRestored",
  summary: "Remove accounts that were deleted after the backup",
  tag: "operation",
  body: {
    contentType: "application/json",
    description: '`{"after": ""}` with the last username of the previous call',
  },
  responses: {
    200: {
      description: "Number of removals started",
      schema: z.object({ removed: z.int(), next: z.string().nullable() }),
    },
  },
  async handle(_input, context) {
    const { patrons, catalog } = context.stores;
    const { after } = await readJsonBody(context.request, z.object({ after: z.string().max(300) }), {
      limit: BODY_BYTES,
      example: '{"after": ""}',
    });
    const users = await readUsernames(catalog, { after, limit: USERS_AT_ONCE });
    const hashes = new Map(users.map((name) => [secretHash(name.toLowerCase()), name]));
    const found = (await readRemovedAt(patrons, [...hashes.keys()]))
      .map(({ hash, time }) => ({ username: hashes.get(hash) ?? "", time }))
      .toSorted((one, other) => users.indexOf(one.username) - users.indexOf(other.username));
    const now = found.slice(0, REMOVALS_AT_ONCE);
    let removed = 0;
    for (const { username, time } of now) {
      const account = await findAccount(patrons, { username });
      // The name belongs to a newer account.
      if (account !== undefined && parseDatetime(account.created) > time) continue;
      await removeAgain(context, username, account);
      removed += 1;
    }
    const end = users.length < USERS_AT_ONCE ? null : users.at(-1);
    const next = found.length > now.length ? now.at(-1)?.username : end;
    return json({ removed, next }, { cacheControl: NO_STORE });
  },
});
