type Schema = Record<string, unknown>;

interface Documented {
  operationId: string;
  parameters?: readonly { name: string }[];
  responses: Schema;
}

/** Characters below which a part is not worth a reference to it. */
const SHARED_LENGTH = 100;

/**
 * Moves parameters and responses that several operations have to the components, and refers to them there. The first
 * operation gives a response its name, with the status: readEdition200.
 */
export function shareParts(paths: Readonly<Record<string, Schema>>) {
  // Paths hold operation objects alone.
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Documented[]);
  const parameters = new Shared("parameters");
  const responses = new Shared("responses");
  for (const { operationId: id, parameters: own = [], responses: answers } of operations) {
    for (const parameter of own) parameters.count(parameter, [parameter.name, `${parameter.name}_${id}`]);
    for (const [status, answer] of Object.entries(answers)) responses.count(answer, [`${id}${status}`]);
  }
  for (const operation of operations) {
    const { parameters: own, responses: answers } = operation;
    if (own !== undefined) Object.assign(operation, { parameters: own.map((one) => parameters.refer(one)) });
    for (const [status, answer] of Object.entries(answers)) answers[status] = responses.refer(answer);
  }
  return { parameters: parameters.parts(), responses: responses.parts() };
}

class Shared {
  readonly #place: string;
  readonly #known = new Map<string, { name: string; part: unknown; uses: number }>();
  readonly #names = new Set<string>();

  constructor(place: string) {
    this.#place = place;
  }

  /** Counts a use of a part. It gets the first of the names that is free. */
  count(part: unknown, names: readonly string[]): void {
    const text = JSON.stringify(part);
    const known = this.#known.get(text);
    if (known !== undefined) {
      known.uses += 1;
      return;
    }
    const name = names.find((one) => !this.#names.has(one)) ?? text;
    this.#names.add(name);
    this.#known.set(text, { name, part, uses: 1 });
  }

  refer(part: unknown): unknown {
    const text = JSON.stringify(part);
    const known = this.#known.get(text);
    const isShared = known !== undefined && known.uses > 1 && text.length > SHARED_LENGTH;
    return isShared ? { $ref: `#/components/${this.#place}/${known.name}` } : part;
  }

  parts(): Schema {
    const shared = [...this.#known.values()].filter(
      ({ part, uses }) => uses > 1 && JSON.stringify(part).length > SHARED_LENGTH,
    );
    return Object.fromEntries(shared.map(({ name, part }) => [name, part]));
  }
}
