import { type RequestContext } from "../context.ts";
import { forbidden } from "../errors.ts";

/** Parameters that would tune another engine (search.md 2.1). */
const TUNING = (
  "solr_q_op solr_qf solr_mm solr_pf solr_ps solr_qs solr_tie solr_bq solr_bf solr_sow solr_mm_autoRelax " +
  "solr_boost solr_lowercaseOperators solr_pf2 solr_ps2 solr_pf3 solr_ps3 solr_stopwords solr_v"
).split(" ");

/** Refuses requests that would tune the engine: 403. */
export function refuseTuning({ url: { searchParams } }: RequestContext): void {
  // Q80: known names are refused, others of the kind ignored like any parameter that is not known.
  if (TUNING.some((name) => searchParams.has(name))) {
    throw forbidden("Solr internals parameters are not allowed in this environment.");
  }
}
