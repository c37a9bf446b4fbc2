/** Reasons against an award. Works are keys. */
interface AwardProblems {
  readonly hasTopic: boolean;
  readonly isRead: boolean;
  /** Topic for which the work already has an award of the patron. */
  readonly topicOfWork?: string | undefined;
  /** Work that already has the patron's award for this topic. */
  readonly workOfTopic?: string | undefined;
}

/** Returns all reasons against an award, in one text; empty if there are none. */
export function awardProblems(problems: AwardProblems): string {
  const { hasTopic, isRead, topicOfWork, workOfTopic } = problems;
  const messages = [
    ...(hasTopic ? [] : ["An award needs a work and a topic."]),
    ...(isRead ? [] : ["Only works on your shelf Already Read can be given an award."]),
    ...(topicOfWork === undefined ? [] : [`You have given this work an award already, for ${topicOfWork}.`]),
    ...(workOfTopic === undefined
      ? []
      : [`You have given the award for this topic already, to ${workOfTopic}.`]),
  ];
  return messages.join(" ");
}
