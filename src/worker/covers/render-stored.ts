import { isUnrendered, noteRenditions } from "../../db/covers/renditions.ts";
import type { Jobs } from "../queue/job-kind.ts";
import { renderOriginal } from "./store-fetched.ts";

/** Makes the smaller sizes of a cover that was stored without them. Does nothing where nothing is to be done. */
export async function renderStored(id: number, { stores }: Jobs): Promise<void> {
  if (!(await isUnrendered(stores.catalog, id))) return;
  const made = await renderOriginal(stores, id);
  await noteRenditions(stores.catalog, id, made ? "made" : "none");
}
