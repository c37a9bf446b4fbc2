import { OBSERVATION_TYPES, type ObservationType, type ObservationValue } from "./vocabulary.ts";

/** A type and one of its values, as the vocabulary has them. */
interface NamedObservation {
  readonly type: ObservationType;
  readonly value: ObservationValue;
}

const TYPES_BY_LABEL = new Map(OBSERVATION_TYPES.map((type) => [type.label, type]));

/** What a label and a name mean, retired or not; undefined when the vocabulary lacks the type or the value. */
export function namedObservation(label: string, name: string): NamedObservation | undefined {
  const type = TYPES_BY_LABEL.get(label);
  const value = type?.values.find((one) => one.name === name);
  return type === undefined || value === undefined ? undefined : { type, value };
}

/** What the numbers mean, where it can still be chosen. */
export function offeredObservation(typeId: number, valueId: number): NamedObservation | undefined {
  const type = OBSERVATION_TYPES.find(({ id }) => id === typeId);
  const value = type?.values.find(({ id }) => id === valueId);
  const found = type === undefined || value === undefined ? undefined : { type, value };
  return found !== undefined && isOffered(found) ? found : undefined;
}

/** True when it can still be chosen. */
export function isOffered({ type, value }: NamedObservation): boolean {
  return !type.isRetired && !value.isRetired;
}

/** Observations by label, as the patron sees his own, in the order of the vocabulary; unknown ones are left out. */
export function observationsByLabel(
  codes: readonly Readonly<Record<"type" | "value", number>>[],
): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { id, label, values } of OBSERVATION_TYPES) {
    const chosen = new Set(codes.filter(({ type }) => type === id).map(({ value }) => value));
    const names = values.filter(({ id: number }) => chosen.has(number)).map(({ name }) => name);
    if (names.length > 0) found[label] = names;
  }
  return found;
}

/** How many patrons observed what of a work. */
interface ObservationCounts {
  /** Patrons who observed anything, of retired types too. */
  readonly respondents: number;
  /** By number of the type. */
  readonly types: ReadonlyMap<number, number>;
  /** By `<type>.<value>`. */
  readonly values: ReadonlyMap<string, number>;
}

/**
 * The observations of a work in numbers, as `/observations.json` has them: types by number, values by count, the most frequent first and
 * equal ones in the order of the vocabulary. What is retired is not shown, but who chose it counts as a respondent.
 */
export function observationMetrics(work: number, counts: ObservationCounts) {
  return {
    work_id: String(work),
    total_respondents: counts.respondents,
    observations: OBSERVATION_TYPES.flatMap((type) => typeMetrics(type, counts)),
  };
}

function typeMetrics(
  { id, label, question, isSingle, isRetired, values }: ObservationType,
  counts: ObservationCounts,
) {
  if (isRetired) return [];
  const counted = values
    .filter((value) => !value.isRetired)
    .map(({ id: number, name }) => ({ value: name, count: counts.values.get(`${id}.${number}`) ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  if (counted.length === 0) return [];
  return [
    {
      label,
      description: question,
      multi_choice: !isSingle,
      total_respondents_for_type: counts.types.get(id) ?? 0,
      values: counted,
      total_responses: counted.reduce((sum, { count }) => sum + count, 0),
    },
  ];
}
