import * as z from "zod";
import type { Text } from "../../../catalog/texts.ts";
import { parseOlid } from "../../../catalog/keys.ts";
import {
  isOffered,
  findObservation,
  observationMetricsOf,
  groupObservationsByLabel,
  findOfferedObservation,
} from "../../../catalog/patrons/observations.ts";
import { NO_OBSERVATIONS, readObservationCounts } from "../../../db/patrons/counts.ts";
import { validationFailed } from "../../http/errors.ts";
import { invalid } from "../../http/input-failures.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { privateJson } from "../../http/reply.ts";
import { readOwnCounts } from "../../records/work-counts.ts";
import {
  backField,
  countsJson,
  followWorks,
  ownChange,
  requireOwner,
  valueError,
  workPath,
} from "./own-data.ts";

const OBSERVED_WORKS_MAX = 200;

const metrics = z.looseObject({
  work_id: z.string(),
  total_respondents: z.int(),
  observations: z.array(z.looseObject({ label: z.string() })),
});

export const observationsOfWorks = operation({
  id: "observations",
  summary: "Count the observations of works",
  tag: "reading",
  query: { olid: z.array(z.string()).max(OBSERVED_WORKS_MAX).default([]).describe("Work IDs, such as OL1W") },
  responses: {
    200: {
      description: "Observations by work ID, as requested",
      schema: z.object({ observations: z.record(z.string(), metrics) }),
    },
  },
  async handle({ query: { olid } }, context) {
    const numbers = olid.map((text, index) => parseWork(context, text, index));
    const targets = await followWorks(context, numbers);
    const works = new Map(olid.map((text, index) => [text, targets[index] ?? 0]));
    const [first] = works;
    // Q213: for a single work patrons see their own observations at once, as on its page.
    if (first !== undefined && works.size === 1) {
      const [text, work] = first;
      const view = await readOwnCounts(context, work);
      return countsJson({ observations: { [text]: observationMetricsOf(work, view.observations) } }, view);
    }
    const patrons = context.stores.patrons.withSession("first-unconstrained");
    const counts = await readObservationCounts(patrons, [...works.values()]);
    const byText = [...works].map(([text, work]) => {
      return [text, observationMetricsOf(work, counts.get(work) ?? NO_OBSERVATIONS)];
    });
    return countsJson({ observations: Object.fromEntries(byText) }, { isOwn: false });
  },
});

function parseWork({ settings }: RequestContext, text: string, index: number): number {
  const olid = parseOlid(text, settings.RECORD_PREFIX);
  if (olid?.kind === "work") return olid.number;
  const pattern = String.raw`(?i)^${settings.RECORD_PREFIX}\d+W$`;
  const values = { pattern };
  const failed = { type: "string_pattern_mismatch", input: text, ctx: values };
  throw validationFailed([invalid(["query", "olid", index], { key: "validation.pattern", values }, failed)]);
}

export const ownObservations = operation({
  id: "ownObservations",
  summary: "Get your observations of a work",
  tag: "reading",
  path: workPath,
  responses: { 200: { description: "Values by type", schema: z.record(z.string(), z.array(z.string())) } },
  async handle({ path: { work_id: work } }, context) {
    const { patron } = await requireOwner(context);
    return privateJson(groupObservationsByLabel(await patron.notes.observations(work)));
  },
});

const OBSERVATIONS_MAX = 50;

const observationBody = z.object({
  // Q214: a username is ignored; the session's patron observes.
  username: z.unknown().optional().describe("Ignored"),
  action: z.enum(["add", "delete"]),
  observation: z.record(z.string(), z.string()).describe("Value by type"),
});

export const observe = ownChange({
  id: "observe",
  summary: "Add or remove observations of a work",
  path: workPath,
  json: observationBody,
  responses: {
    200: { description: "Observations added or removed", schema: z.object({ success: z.string() }) },
    422: { description: "Type or value outside the vocabulary" },
  },
  async submit({ path: { work_id: work }, json: { action, observation } }, { patron, use }, { now }) {
    const choices = Object.entries(observation);
    if (choices.length > OBSERVATIONS_MAX) {
      throw observationError("_", { key: "validation.observations", values: { most: OBSERVATIONS_MAX } });
    }
    const codes = choices.map(([label, name]) => {
      const known = findObservation(label, name);
      // Withdrawn values can be deleted, but not added.
      if (known === undefined || (action === "add" && !isOffered(known))) throw observationError(label);
      return { type: known.type.id, value: known.value.id, isSingle: known.type.isSingle };
    });
    if (action === "delete") await patron.notes.unobserve({ work, observed: codes }, use);
    else await patron.notes.observe({ work, observed: codes, now }, use);
    return { json: { success: action === "delete" ? "Observations removed" : "Observations added" } };
  },
});

function observationError(label: string, text: Text = { key: "validation.observation" }) {
  return valueError(["body", "observation", label], text);
}

export const unobserve = ownChange({
  id: "unobserve",
  summary: "Remove all your observations of a work",
  path: workPath,
  responses: {
    200: {
      description: "Observations removed, if there were any",
      schema: z.object({ success: z.string() }),
    },
  },
  async submit({ path: { work_id: work } }, { patron, use }) {
    await patron.notes.unobserve({ work }, use);
    return { json: { success: "Observations removed" }, words: "notice.observations_kept" };
  },
});

/** `POST /works/OL1W/observations/own` (Q580): replaces the patron's observations of a work, from a form. */
export const observeOwn = ownChange({
  id: "observeOwn",
  summary: "Replace your observations of a work from a form",
  path: workPath,
  form: {
    observed: z.array(z.string()).default([]).describe("IDs of type and value, such as 13.4"),
    redir_url: backField,
  },
  responses: {
    200: { description: "Observations saved", schema: z.object({ success: z.string() }) },
    422: { description: "Type or value outside the vocabulary" },
  },
  async submit({ path: { work_id: work }, form: { observed } }, { patron, use }, { now }) {
    const codes = observed.map((text) => {
      const [type = 0, value = 0] = text.split(".").map(Number);
      if (findOfferedObservation(type, value) === undefined) throw observationError("_");
      return { type, value };
    });
    // Withdrawn values stay, because the form does not offer them.
    const withdrawn = (await patron.notes.observations(work)).filter(
      ({ type, value }) => findOfferedObservation(type, value) === undefined,
    );
    await patron.notes.replaceObservations({ work, observed: [...withdrawn, ...codes], now }, use);
    return { json: { success: "Observations kept" }, words: "notice.observations_kept" };
  },
});
