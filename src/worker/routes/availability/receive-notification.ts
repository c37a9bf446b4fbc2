import * as z from "zod";
import { xmlError } from "../../../catalog/xml/well-formed.ts";
import { bodyText } from "../../body.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { NOTICE_BYTES } from "./borrow-notify.ts";

const responses = {
  200: {
    description: "Whether the message could be read",
    schema: z.object({ success: z.boolean(), error: z.string().optional() }),
  },
};

/** `POST /borrow/receive_notification`: reads a message of an old lending server, and does nothing (lookup.md 14). */
export const receiveNotification = operation({
  id: "receiveNotification",
  summary: "Reads an XML message without effect",
  tag: "lending",
  body: { contentType: "application/xml", description: "The message" },
  inReadOnly: true,
  responses,
  async handle(_input, { request }) {
    const error = xmlError(await bodyText(request, NOTICE_BYTES));
    // Q288: what cannot be read is 200 as well.
    const body = error === undefined ? { success: true } : { success: false, error };
    return json(body, { cacheControl: NO_STORE });
  },
});

/** `GET /borrow/receive_notification`: messages are sent. */
export const receiveNotificationPage = operation({
  id: "receiveNotificationPage",
  summary: "Says that messages are sent",
  tag: "lending",
  responses,
  handle: () => json({ success: false, error: "Only POST is supported" }, { cacheControl: NO_STORE }),
});
