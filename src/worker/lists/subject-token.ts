import { subjectPath, seedKind } from "../../catalog/lists/seed-entry.ts";
import { fieldCode, filterToken } from "../../search/index/filter-token.ts";
import { subjectTarget } from "../../search/present/subject-target.ts";

/** Token of the works about the subject that a seed names; undefined for other seeds. */
export function subjectToken(seed: string): string | undefined {
  if (seedKind({ key: seed, record: undefined }) !== "subject") return undefined;
  const { field, value } = subjectTarget(subjectPath(seed).slice("/subjects/".length));
  const code = fieldCode(field);
  return code === undefined || value === "" ? undefined : filterToken(code, value);
}
