import type { CheckInType } from "../../durable/patron/diary.ts";
import { checkInOwner, newCheckInId } from "../../db/patrons/check-ins.ts";
import type { RequestContext } from "../http/operation.ts";
import { CarrelError, forbidden } from "../http/errors.ts";
import type { OwnWriter } from "./own-writer.ts";

/** A check-in that is to be made, or changed where it has a number. */
export interface WantedCheckIn {
  readonly work: number;
  readonly type: CheckInType;
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  readonly date: string;
  readonly edition: number | undefined;
  /** 0: a new one. */
  readonly id: number;
}

/** Stores a check-in of the patron and resolves to its number. Throws 404 and 403 for one that is not his (patrons.md 6.1). */
export async function saveCheckIn(
  context: RequestContext,
  { session, patron }: OwnWriter,
  wanted: WantedCheckIn,
): Promise<number> {
  const { work, type, date, edition, id } = wanted;
  const { now } = context;
  if (id === 0) {
    const number = await newCheckInId(context.stores.patrons, session.username);
    await patron.diary.add({ id: number, work, type, date, edition: edition ?? null, now });
    return number;
  }
  if (await patron.diary.change({ id, work, edition, date, now })) return id;
  throw await noSuchCheckIn(context, { id, username: session.username, message: "Event not found" });
}

/** What is said of a check-in that the patron does not have: 403 when it is somebody else's, else 404. */
export async function noSuchCheckIn(
  { stores }: Pick<RequestContext, "stores">,
  { id, username, message }: { readonly id: number; readonly username: string; readonly message: string },
): Promise<CarrelError> {
  const owner = await checkInOwner(stores.patrons, id);
  const isForeign = owner !== undefined && owner !== username.toLowerCase();
  return isForeign ? forbidden("Forbidden") : new CarrelError(404, "not_found", { message });
}
