import { datetimeText } from "../../catalog/datetime.ts";
import type { SaveRequest, SaveResult } from "../../db/changes/save/request.ts";
import type { RequestContext, Sources, Stores } from "../context.ts";
import type { Actor } from "../sessions/actor.ts";
import { type ChangeRequest, deskOf, finish, trySave } from "../writes/save.ts";
import { tellOfChange } from "../writes/tell-of-change.ts";
import type { Merging } from "./merge.ts";

/** Saves on behalf of the request's user. */
export function requestSaver(context: RequestContext): Merging["save"] {
  return async (request) => {
    const result = await trySave(context, request);
    if (!result.ok) return result;
    finish(context, result);
    return result;
  };
}

/** Saves on behalf of a user whose request is over. */
export function sweepSaver(stores: Stores, { now }: Sources, { actor, ip }: Sweeping): Merging["save"] {
  const desk = deskOf(stores);
  return async ({
    documents,
    data = {},
    kind,
    comment,
    expected = {},
  }: ChangeRequest): Promise<SaveResult> => {
    const request: SaveRequest = {
      writer: { author: actor.key, bot: actor.bot, ip, authority: "user" },
      kind,
      comment,
      data: JSON.stringify(data),
      documents: JSON.stringify(documents),
      expected,
      now: datetimeText(now()),
    };
    const result = await desk.save(request);
    if (result.ok && result.change !== null) {
      await tellOfChange(stores, result.change);
    }
    return result;
  };
}

/** Who goes on with a merge without a request. */
export interface Sweeping {
  readonly actor: Pick<Actor, "key" | "bot">;
  readonly ip: string | null;
}
