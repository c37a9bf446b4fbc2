import { describe, expect, it } from "vitest";
import { flipName } from "../../../../../src/import/authors/flip-name.ts";
import { authorDates } from "../../../../../src/import/marc/edition/author-dates.ts";
import { lccn, oclcNumber } from "../../../../../src/import/marc/edition/identifiers.ts";
import { isbnAtStart, tidyIsbn } from "../../../../../src/import/marc/edition/isbn.ts";
import { tidyPlace, tidySubject } from "../../../../../src/import/marc/edition/subject-text.ts";
import { withoutFinalDot, withoutNumberDot } from "../../../../../src/import/marc/edition/text.ts";
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
