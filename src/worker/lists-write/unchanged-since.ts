import type { FormRecord } from "../forms/save-form.ts";
import { CarrelError } from "../errors.ts";

/** Q262: refuses to replace a record that somebody changed after the form was filled; forms that name no revision replace it. */
export function requireRevision({ revision, document }: FormRecord, shown: string | undefined): void {
  if (shown === undefined || shown === "" || shown === String(revision)) return;
  const message =
    "Somebody changed this meanwhile. Look at what it is like now; if you save again, what you see here replaces it.";
  const body = { error: "conflict", message, key: document["key"] };
  throw new CarrelError(409, "conflict", { message, body });
}
