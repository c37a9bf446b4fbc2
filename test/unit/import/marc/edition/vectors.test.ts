import { describe, expect, it } from "vitest";
import { flipName, withoutFinalDot, withoutNumberDot } from "../../../../../src/import/marc/edition/text.ts";
import { authorDates } from "../../../../../src/import/marc/edition/authors.ts";
import {
  isbnAtStart,
  lccn,
  oclcNumber,
  tidyIsbn,
} from "../../../../../src/import/marc/edition/identifiers.ts";
import { tidyPlace, tidySubject } from "../../../../../src/import/marc/edition/subjects.ts";
import { HAS_FIXTURES, vectors } from "../../shared-fixtures.ts";

const FUNCTIONS: Record<string, (input: never) => unknown> = {
  remove_trailing_dot: withoutFinalDot,
  remove_trailing_number_dot: withoutNumberDot,
  flip_name: flipName,
  marc_dates: authorDates,
  tidy_subject: tidySubject,
  flip_place: tidyPlace,
  // Values of a field come trimmed.
  marc_010a: (text: string) => lccn(text.trim()) ?? null,
  marc_035a: (text: string) => oclcNumber(text.trim()) ?? null,
  marc_020: (text: string) => isbnAtStart(text) ?? null,
  tidy_isbn_list: (texts: string[]) => texts.flatMap(tidyIsbn),
};

describe.skipIf(!HAS_FIXTURES)("functions of MARC", () => {
  it.each(Object.entries(FUNCTIONS))("%s", (name, run) => {
    const rows = vectors<never, unknown>(name);
    expect(rows.length).toBeGreaterThan(1);
    for (const [input, expected] of rows) expect([input, run(input)]).toEqual([input, expected]);
  });
});
