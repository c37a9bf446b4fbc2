import { OBSERVATION_TYPES, type ObservationType, type ObservationValue } from "./vocabulary.ts";

interface NamedObservation {
  readonly type: ObservationType;
  readonly value: ObservationValue;
}

const TYPES_BY_LABEL = new Map(OBSERVATION_TYPES.map((type) => [type.label, type]));

/** Finds an observation by label and name, retired or not; undefined if the vocabulary lacks the type or the value. */
export function findObservation(label: string, name: string): NamedObservation | undefined {
  const type = TYPES_BY_LABEL.get(label);
  const value = type?.values.find((candidate) => candidate.name === name);
  return type === undefined || value === undefined ? undefined : { type, value };
}

/** Finds an observation by its numbers, retired or not; undefined if it is unknown. */
export function findNumberedObservation(typeId: number, valueId: number): NamedObservation | undefined {
  const type = OBSERVATION_TYPES.find(({ id }) => id === typeId);
  const value = type?.values.find(({ id }) => id === valueId);
  return type === undefined || value === undefined ? undefined : { type, value };
}

/** Finds an observation by its numbers; undefined if it is unknown, or cannot be chosen any more. */
export function findOfferedObservation(typeId: number, valueId: number): NamedObservation | undefined {
  const observation = findNumberedObservation(typeId, valueId);
  return observation !== undefined && isOffered(observation) ? observation : undefined;
}

export function isOffered({ type, value }: NamedObservation): boolean {
  return !type.isRetired && !value.isRetired;
}

/** Returns a patron's observations by label, in the order of the vocabulary; unknown ones are left out. */
export function groupObservationsByLabel(
  codes: readonly Readonly<Record<"type" | "value", number>>[],
): Record<string, string[]> {
  const byLabel: Record<string, string[]> = {};
  for (const { id, label, values } of OBSERVATION_TYPES) {
    const chosen = new Set(codes.filter(({ type }) => type === id).map(({ value }) => value));
    const names = values.filter(({ id: number }) => chosen.has(number)).map(({ name }) => name);
    if (names.length > 0) byLabel[label] = names;
  }
  return byLabel;
}

interface ObservationCounts {
  /** Patrons with any observation, of retired types too. */
  readonly respondents: number;
  /** By number of the type. */
  readonly types: ReadonlyMap<number, number>;
  /** By `<type>.<value>`. */
  readonly values: ReadonlyMap<string, number>;
}

/**
 * Returns the statistics of a work's observations, as `/observations.json` sends them: types by number, values by
 * count, the most frequent first and equal ones in the order of the vocabulary. Retired ones are not shown, but the
 * patrons who chose them count as respondents.
 */
export function observationMetricsOf(work: number, counts: ObservationCounts) {
  return {
    work_id: String(work),
    total_respondents: counts.respondents,
    observations: OBSERVATION_TYPES.flatMap(({ id, label, question, isSingle, isRetired, values }) => {
      if (isRetired) return [];
      const counted = values
        .filter((value) => !value.isRetired)
        .map(({ id: number, name }) => ({ value: name, count: counts.values.get(`${id}.${number}`) ?? 0 }))
        .filter(({ count }) => count > 0)
        .toSorted((a, b) => b.count - a.count);
      if (counted.length === 0) return [];
      return {
        label,
        description: question,
        multi_choice: !isSingle,
        total_respondents_for_type: counts.types.get(id) ?? 0,
        values: counted,
        total_responses: counted.reduce((sum, { count }) => sum + count, 0),
      };
    }),
  };
}
