import type { Entity } from "./entities.ts";
import { type AskedValue, type Property, likeness } from "./properties.ts";
import { nameSimilarity } from "./similarity.ts";

/** A property with the values that a client has for it. */
interface AskedProperty {
  readonly property: Property;
  readonly values: readonly AskedValue[];
}

/** What candidates are held against. */
export interface Asked {
  readonly query: string | undefined;
  readonly properties: readonly AskedProperty[];
}

/** What a score is made of. */
interface Feature {
  readonly id: string;
  readonly value: number | boolean;
}

/** An entity with how well it matches. */
export interface Candidate {
  readonly entity: Entity;
  /** From 0 to 100. */
  readonly score: number;
  readonly features: readonly Feature[];
}

const NAME_WEIGHT = 3;
/** What another name than its own counts, of 100. */
const OTHER_NAME = 97;
/** Candidates with a lower score are left out. */
const SCORE_MIN = 20;
/** A match has this score at least, and the next candidate so much less. */
const MATCH_SCORE = 90;
const MATCH_LEAD = 5;

/**
 * Candidates, the best first. A score is the mean of the likenesses (0 to 100) of the name and of each property, by
 * weight; a property of which an entity says nothing does not count.
 */
export function scored(entities: readonly Entity[], asked: Asked): Candidate[] {
  return entities
    .map((entity) => candidateOf(entity, asked))
    .filter(({ score }) => score >= SCORE_MIN)
    .toSorted((one, other) => other.score - one.score);
}

function candidateOf(entity: Entity, { query, properties }: Asked): Candidate {
  const named =
    query === undefined ? [] : [{ id: "name", value: nameLikeness(entity, query), weight: NAME_WEIGHT }];
  const compared = properties.flatMap(({ property, values }) => {
    const found = values.flatMap((value) => likeness(property, value, entity) ?? []);
    const id = `property:${property.id}`;
    return found.length === 0 ? [] : [{ id, value: Math.max(...found), weight: property.weight }];
  });
  const parts = [...named, ...compared];
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  const total = parts.reduce((sum, part) => sum + part.value * part.weight, 0);
  const score = weight === 0 ? 0 : Math.round((total / weight) * 10) / 10;
  const features = parts.map(({ id, value }) => ({ id, value }));
  return { entity, score, features };
}

function nameLikeness({ name, otherNames }: Entity, query: string): number {
  const others = otherNames.map((other) => (nameSimilarity(other, query) * OTHER_NAME) / 100);
  return Math.round(Math.max(nameSimilarity(name, query), ...others));
}

/** Whether the first of some candidates can be taken without being looked at. */
export function isMatch([first, second]: readonly Candidate[]): boolean {
  if (first === undefined || first.score < MATCH_SCORE) return false;
  return second === undefined || first.score - second.score >= MATCH_LEAD;
}
