import * as z from "zod";
import { editionWidget, workWidget } from "../../browsing/widget.ts";
import { operation } from "../../operation.ts";
import { widgetPage } from "../../pages/records/widget-page.ts";
import { RECORD_KEEP } from "../records/read-record.ts";

const digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .describe("The digits of the record's number");
const responses = {
  200: { description: "A small page", contentType: "text/html" },
  404: { description: "No such book" },
};

/** `GET /works/OL1W/widget`: a work as a small page for the pages of others (lookup.md 17.1). */
export const workWidgetPage = operation({
  id: "workWidget",
  summary: "A work as a small page for the pages of others, with how it can be read",
  tag: "records",
  path: { work_id: digits },
  keep: RECORD_KEEP,
  responses,
  async handle({ path: { work_id: id } }, context) {
    return widgetPage(await workWidget(`/works/${context.settings.RECORD_PREFIX}${id}W`, context));
  },
});

/** `GET /books/OL1M/widget`: the same of an edition. */
export const editionWidgetPage = operation({
  id: "editionWidget",
  summary: "An edition as a small page for the pages of others, with how it can be read",
  tag: "records",
  path: { edition_id: digits },
  keep: RECORD_KEEP,
  responses,
  async handle({ path: { edition_id: id } }, context) {
    return widgetPage(await editionWidget(`${context.settings.RECORD_PREFIX}${id}M`, context));
  },
});
