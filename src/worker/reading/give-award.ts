import { type AwardProblems, awardProblems } from "../../catalog/patrons/award.ts";
import { ALREADY_READ } from "../../catalog/patrons/shelves.ts";
import { newAwardId } from "../../db/patrons/awards.ts";
import type { RequestContext } from "../http/operation.ts";
import type { OwnWriter } from "./own-writer.ts";
import { workKey } from "./parameters.ts";

/** An award that a patron wants to give. */
export interface WantedAward {
  readonly work: number;
  /** Empty: none was named, and nothing is given. */
  readonly topic: string;
  readonly edition: number | undefined;
  readonly comment: string;
  /** Awards of the patron for this work and this topic go first. */
  readonly replaces: boolean;
}

/** Gives an award (lookup.md 16.3); resolves to its number, or to all that speaks against it. */
export async function giveAward(
  context: RequestContext,
  { patron }: OwnWriter,
  wanted: WantedAward,
): Promise<{ readonly award: number } | { readonly errors: string }> {
  const { work, topic, edition, ...more } = wanted;
  if (topic === "") return { errors: await problemsWithoutTopic(patron, wanted) };
  const id = await newAwardId(context.stores.patrons);
  const refusal = await patron.circle.award({
    id,
    work,
    topic,
    edition: edition ?? null,
    ...more,
    now: context.now,
  });
  if (refusal === null) return { award: id };
  const { isUnread, sameWork, sameTopic } = refusal;
  return { errors: describe(context, { isUnread, sameWork, sameTopic, replaces: wanted.replaces }) };
}

interface Refusal {
  readonly isUnread: boolean;
  readonly sameWork: { readonly topic: string } | null;
  readonly sameTopic: { readonly work: number } | null;
  readonly replaces: boolean;
}

function describe(context: RequestContext, { isUnread, sameWork, sameTopic, replaces }: Refusal): string {
  // What would be replaced is not in the way.
  const inTheWay: Partial<AwardProblems> = replaces
    ? {}
    : {
        topicOfWork: sameWork?.topic,
        workOfTopic: sameTopic === null ? undefined : workKey(context, sameTopic.work),
      };
  return awardProblems({ hasTopic: true, isRead: !isUnread, ...inTheWay });
}

async function problemsWithoutTopic(
  patron: OwnWriter["patron"],
  { work, replaces }: WantedAward,
): Promise<string> {
  const [entry, awards] = await Promise.all([patron.shelves.entry(work), patron.circle.awards()]);
  const topicOfWork = replaces ? undefined : awards.find((award) => award.work === work)?.topic;
  return awardProblems({ hasTopic: false, isRead: entry?.shelf === ALREADY_READ, topicOfWork });
}
