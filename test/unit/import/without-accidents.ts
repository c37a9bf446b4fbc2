import type { CatalogRecord, Json } from "../../../src/catalog/record.ts";

/** What a record of another format is expected to give. */
export interface Expected {
  readonly n: number;
  readonly fields: CatalogRecord;
  readonly accepted: boolean;
}

/** Expected fields without nulls and blanks: those were accidents of the recording. */
export function withoutAccidents(fields: CatalogRecord): CatalogRecord {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]): [string, Json | undefined] => [
        name,
        Array.isArray(value) ? value.filter((one) => !isBlank(one)) : value,
      ])
      .filter(([, value]) => !isBlank(value) && !(Array.isArray(value) && value.length === 0)),
  );
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}
