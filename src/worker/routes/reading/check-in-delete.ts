import * as z from "zod";
import { forgetCheckIn } from "../../../db/patrons/check-ins.ts";
import { PRIVATE } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { backOr } from "../../http/redirect-target.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import { noSuchCheckIn } from "../../reading/save-check-in.ts";
import { integer } from "../../http/parameters.ts";

/** `DELETE /check-ins/<id>`: deletes a check-in of one's own (patrons.md 6.2). */
export const deleteCheckIn = operation({
  id: "deleteCheckIn",
  summary: "Delete a check-in of one's own",
  tag: "reading",
  path: { check_in_id: integer(z.int().gt(0)) },
  responses: {
    200: { description: "Deleted; the body is empty" },
    401: { description: "Not logged in" },
    403: { description: "Somebody else's check-in, or the account may read only" },
    404: { description: "No such check-in, or it is deleted already" },
  },
  async handle({ path: { check_in_id: id } }, context) {
    const { session, patron } = await ownWriter(context);
    const { username } = session;
    if (!(await patron.diary.remove(id))) {
      throw await noSuchCheckIn(context, { id, username, message: "Event does not exist" });
    }
    await forgetCheckIn(context.stores.patrons, id);
    return backOr(context, { status: 200, body: null, cacheControl: PRIVATE });
  },
});
