import type { CatalogRecord } from "../../catalog/record.ts";
import { chooseSortingDdc, normalizeDdc } from "../classification/ddc.ts";
import { chooseSortingLcc, toSortableLcc } from "../classification/lcc.ts";
import { gathered, texts } from "./values.ts";

/** Class numbers of a work in the forms in which they sort, and the one it is sorted by. */
export interface Classifications {
  readonly lcc: readonly string[] | undefined;
  readonly lccSort: string | undefined;
  readonly ddc: readonly string[] | undefined;
  readonly ddcSort: string | undefined;
}

/** "Biography", which some editions name beside the number of their subject. */
const BIOGRAPHY = new Set(["92", "920", "092"]);

/** Class numbers of all editions (search.md 9.1 `lcc`, `ddc`). */
export function classificationsOf(editions: readonly CatalogRecord[]): Classifications {
  const lcc = gathered(editions, (edition) =>
    texts(edition, "lc_classifications").flatMap((raw) => toSortableLcc(raw) ?? []),
  );
  const ddc = gathered(editions, (edition) => deweyNumbers(edition).flatMap(normalizeDdc));
  return {
    lcc,
    lccSort: lcc === undefined ? undefined : chooseSortingLcc(lcc),
    ddc,
    ddcSort: ddc === undefined ? undefined : chooseSortingDdc(ddc),
  };
}

function deweyNumbers(edition: CatalogRecord): readonly string[] {
  const numbers = texts(edition, "dewey_decimal_class");
  return numbers.length > 1 ? numbers.filter((number) => !BIOGRAPHY.has(number)) : numbers;
}
