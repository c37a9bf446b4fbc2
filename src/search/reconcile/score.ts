import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import type { Entity } from "./entities.ts";
import {
  type Property,
  type RequestedValue,
  PROPERTIES,
  nameSimilarityOf,
  similarityOf,
} from "./properties.ts";

export interface CandidateRequest {
  readonly query: string | undefined;
  readonly properties: readonly { readonly property: Property; readonly values: readonly RequestedValue[] }[];
}

export interface Candidate {
  readonly entity: Entity;
  /** Score from 0 to 100. */
  readonly score: number;
  readonly features: readonly { readonly id: string; readonly value: number | boolean }[];
}

const NAME_WEIGHT = 3;
/** Weight of a match of another name, in percent. */
const OTHER_NAME = 97;
const SCORE_MIN = 20;
/** Minimum score of a match, with its minimum lead over the next candidate. */
const MATCH_SCORE = 90;
const MATCH_LEAD = 5;

/** Returns the request for an author named by a heading: by the name, and the years of birth and death as properties (Q653). */
export function parseAuthorRequest({ query, properties }: CandidateRequest): CandidateRequest {
  if (query === undefined) return { query, properties };
  const { name, birthDate, deathDate } = parseAuthorHeading(query);
  const years = new Map([
    ["birth_date", birthDate],
    ["death_date", deathDate],
  ]);
  const dates = PROPERTIES.flatMap((property) => {
    const text = years.get(property.id);
    return text === undefined ? [] : [{ property, values: [{ text }] }];
  });
  return { query: name, properties: [...properties, ...dates] };
}

/**
 * Returns candidates, the best first. A score is the mean of the similarities (0 to 100) of the name and of each
 * property, by weight; properties that an entity lacks do not count.
 */
export function scoreCandidates(entities: readonly Entity[], request: CandidateRequest): Candidate[] {
  return entities
    .map((entity) => candidateOf(entity, request))
    .filter(({ score }) => score >= SCORE_MIN)
    .toSorted((a, b) => b.score - a.score);
}

function candidateOf(entity: Entity, { query, properties }: CandidateRequest): Candidate {
  const nameFeatures =
    query === undefined
      ? []
      : [{ id: "name", value: bestNameSimilarityOf(entity, query), weight: NAME_WEIGHT }];
  const propertyFeatures = properties.flatMap(({ property, values }) => {
    const similarities = values.flatMap((value) => similarityOf(property, value, entity) ?? []);
    const id = `property:${property.id}`;
    return similarities.length === 0
      ? []
      : [{ id, value: Math.max(...similarities), weight: property.weight }];
  });
  const parts = [...nameFeatures, ...propertyFeatures];
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  const total = parts.reduce((sum, part) => sum + part.value * part.weight, 0);
  const score = weight === 0 ? 0 : Math.round((total / weight) * 10) / 10;
  const features = parts.map(({ id, value }) => ({ id, value }));
  return { entity, score, features };
}

function bestNameSimilarityOf({ name, otherNames }: Entity, query: string): number {
  const others = otherNames.map((other) => (nameSimilarityOf(other, query) * OTHER_NAME) / 100);
  return Math.round(Math.max(nameSimilarityOf(name, query), ...others));
}

/** Returns true if clients can accept the first of some candidates without a check. */
export function isMatch([first, second]: readonly Candidate[]): boolean {
  if (first === undefined || first.score < MATCH_SCORE) return false;
  return second === undefined || first.score - second.score >= MATCH_LEAD;
}
