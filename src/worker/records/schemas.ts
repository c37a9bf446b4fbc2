import * as z from "zod";

// Schemas of records in the interface description. Other members, and deviations in old dumps, are answered as they are
// stored.

const text = z
  .union([z.string(), z.object({ type: z.string(), value: z.string() })])
  .meta({ id: "Text", description: "A text, as it was stored" });
const reference = z.looseObject({ key: z.string() }).meta({ id: "Reference" });
const references = z.array(reference).optional();
const strings = z.array(z.string()).optional();
const covers = z.array(z.int().nullable()).optional();

const members = {
  key: z.string(),
  type: z.object({ key: z.string() }),
  revision: z.int(),
  latest_revision: z.int().optional(),
  created: z.unknown().optional(),
  last_modified: z.unknown().optional(),
};

/** Record in an answer; it may have other members. */
export const recordSchema = z.looseObject(members).meta({ id: "Record" });

const aboutBooks = {
  ...members,
  title: z.string().optional(),
  subtitle: z.string().optional(),
  description: text.optional(),
  covers: covers.describe("Numbers of covers, the first one the best"),
  subjects: strings,
};
const MAYBE_GONE = "a record of type delete or redirect where it was deleted or merged";

export const workSchema = z
  .looseObject({
    ...aboutBooks,
    authors: z.array(z.looseObject({ author: reference.optional() })).optional(),
  })
  .meta({ id: "Work", description: `A work; ${MAYBE_GONE}` });

export const editionSchema = z
  .looseObject({
    ...aboutBooks,
    works: references,
    authors: references,
    publishers: strings,
    publish_date: z.string().optional(),
    languages: references,
    isbn_10: strings,
    isbn_13: strings,
    ocaid: z.string().optional().describe("Its scan"),
  })
  .meta({ id: "Edition", description: `An edition; ${MAYBE_GONE}` });

export const authorSchema = z
  .looseObject({
    ...members,
    name: z.string().optional(),
    bio: text.optional(),
    birth_date: z.string().optional(),
    death_date: z.string().optional(),
    alternate_names: strings,
    photos: covers,
  })
  .meta({ id: "Author", description: `An author; ${MAYBE_GONE}` });
