import * as z from "zod";
import { readOutbox } from "../../../db/patrons/outbox.ts";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";

const mail = z.object({
  id: z.int(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  created: z.string(),
});

/**
 * `GET /development/outbox.json`: mails that a development service has kept instead of sending them. There is no such
 * route on a deployed service.
 */
export const outboxOperation = operation({
  id: "outbox",
  summary: "Mails that were not sent (development only)",
  tag: "operation",
  query: { to: z.string().optional().describe("Address of the recipient") },
  responses: { 200: { description: "The newest first", schema: z.object({ mails: z.array(mail) }) } },
  async handle({ query: { to } }, { settings, stores }) {
    if (settings.ENVIRONMENT !== "development") throw notFound();
    const mails = await readOutbox(stores.patrons, to);
    const answer = mails.map(({ id, recipient, subject, body, created }) => ({
      id,
      to: recipient,
      subject,
      text: body,
      created,
    }));
    return json({ mails: answer }, { cacheControl: NO_STORE });
  },
});
