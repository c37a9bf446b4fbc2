import * as z from "zod";
import { hasRole } from "../../catalog/roles.ts";
import { listRequests } from "../../db/editing/merge-requests.ts";
import { catalogReader } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { mergeQueuePage } from "./merge-queue-page.ts";

const REQUESTS_LIMIT = { default: 25, max: 100 };
const REQUESTS_PAGE_MAX = 1000;

const query = {
  mode: z.enum(["open", "closed", "all"]).default("open"),
  submitter: z.string().max(100).optional(),
  reviewer: z.string().max(100).optional(),
  order: z.enum(["asc", "desc"]).default("desc"),
  page: integer(z.int().gte(1).lte(REQUESTS_PAGE_MAX)).default(1),
  limit: integer(z.int().gte(1).lte(REQUESTS_LIMIT.max)).default(REQUESTS_LIMIT.default),
};
const entry = z.object({
  id: z.int(),
  title: z.string().nullable(),
  submitter: z.string(),
  reviewer: z.string().nullable(),
  url: z.string(),
  mr_type: z.int().describe("Type of the records: 1 works, 2 authors"),
  status: z.int().describe("0 declined, 1 pending, 2 merged"),
  comments: z.object({
    comments: z.array(z.object({ timestamp: z.string(), username: z.string(), message: z.string() })),
  }),
  created: z.string(),
  updated: z.string(),
});

export const mergeQueue = resource({
  id: "mergeQueue",
  summary: "List merge requests",
  tag: "editing",
  query,
  responses: {
    200: {
      description: "Page of merge requests; `size` is the total",
      schema: z.object({ size: z.int(), entries: z.array(entry) }),
    },
  },
  async read({ query: { page: number, limit, ...filter } }, context) {
    const offset = (number - 1) * limit;
    return listRequests(catalogReader(context), { ...filter, limit, offset });
  },
  asJson: ({ total: size, requests: entries }) => json({ size, entries }, { cacheControl: NO_STORE }),
  async page(found, { query: part }, context) {
    const mayAct = hasRole(await context.actor(), "librarian");
    return mergeQueuePage({ ...found, mayAct }, part);
  },
});
