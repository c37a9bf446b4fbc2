import * as z from "zod";
import { findAccount } from "../../../db/accounts/read.ts";
import { notFound } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { redirect } from "../../http/reply.ts";

/** The picture of patrons whose identity provider has none. */
const DEFAULT_PICTURE = "/static/patron.svg";
/** How long clients may keep where a picture is. */
const KEPT = "public, max-age=3600";

/** `GET /people/<u>/avatar`: where the patron's picture is (patrons.md 3.7). */
export const avatar = operation({
  id: "avatar",
  summary: "Picture of a patron",
  tag: "people",
  path: { username: z.string() },
  responses: {
    303: { description: "To the picture" },
    404: { description: "There is no such patron" },
  },
  async handle({ path: { username } }, { stores, settings }) {
    const account = await findAccount(stores.patrons, { username });
    if (account === undefined) throw notFound();
    const { subject } = account;
    // Q225: other providers have no pictures, and neither has the service itself.
    const hasPicture = settings.IDENTITY_PROVIDER === "xauth" && subject !== null;
    const address = hasPicture
      ? `${settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "")}/services/img/${encodeURIComponent(subject).replaceAll("%40", "@")}`
      : DEFAULT_PICTURE;
    return redirect(303, address, { cacheControl: KEPT });
  },
});
