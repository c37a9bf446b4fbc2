import * as z from "zod";
import { boolean, integer } from "../../http/parameters.ts";

/** Works of one answer of the trending ones: when no limit is given, and at most. */
export const TRENDING_LIMIT = { default: 100, max: 1000 };

/** Parameters of trending works (lookup.md 15.1). */
export const trendingParameters = {
  limit: integer(z.int().gte(0).lte(TRENDING_LIMIT.max)).default(TRENDING_LIMIT.default),
  page: integer(z.int().gte(1)).default(1),
  offset: integer(z.int().gte(0)).optional().describe("Goes before page"),
  hours: integer(z.int().gte(0)).default(0).describe("By how much the period is longer"),
  days: integer(z.int().gte(0)).default(0).describe("Has no effect"),
  sort_by_count: boolean().default(true).describe("Else the works that changed last come first"),
  minimum: integer(z.int().gte(0)).default(0).describe("Only works with more entries than this"),
  fields: z.array(z.string()).default([]).describe("Names of fields, separated by commas; * for all"),
};

/** The same, checked. */
export type TrendingQuery = {
  [name in keyof typeof trendingParameters]: z.output<(typeof trendingParameters)[name]>;
};
