import { type LikeCounts, countLikes, readLikesWithOwn } from "../../db/patrons/likes.ts";
import type { RequestContext } from "../http/operation.ts";
import { askingSession, patronOf } from "../http/session.ts";

/** What patrons think of a record, as whoever asks is to see it. */
export interface LikeView extends LikeCounts {
  /** True when the patron who asks likes it. */
  readonly isLiked: boolean;
  /** False: the same for everybody. */
  readonly isOwn: boolean;
}

/** Counts of likes. What the patron of the session thinks counts for him at once. */
export async function likeView(context: RequestContext, key: string): Promise<LikeView> {
  const session = await askingSession(context);
  const { patrons } = context.stores;
  if (session === undefined) {
    const counts = await countLikes(patrons.withSession("first-unconstrained"), key);
    return { ...counts, isLiked: false, isOwn: false };
  }
  const { username } = session;
  const [{ counts, own }, opinion] = await Promise.all([
    readLikesWithOwn(patrons, key, username),
    patronOf(context.stores, username).circle.opinion(key),
  ]);
  const now = opinion?.value ?? null;
  return {
    likes: counts.likes + Number(now === 1) - Number(own === 1),
    dislikes: counts.dislikes + Number(now === -1) - Number(own === -1),
    // Q217: who dislikes a record does not like it.
    isLiked: now === 1,
    isOwn: true,
  };
}
