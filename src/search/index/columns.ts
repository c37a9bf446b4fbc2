/** A column of texts. Which words are stemmed must be the same for documents and queries (search.md 10.2). */
export interface TextColumn<Name extends string> {
  readonly name: Name;
  readonly stemmed: boolean;
}

function stemmed<Name extends string>(name: Name): TextColumn<Name> {
  return { name, stemmed: true };
}

function plain<Name extends string>(name: Name): TextColumn<Name> {
  return { name, stemmed: false };
}

/** Columns of `work_text` in order, without `token`, the last one. */
export const WORK_TEXT_COLUMNS = [
  stemmed("title"),
  stemmed("subtitle"),
  stemmed("alternative_title"),
  stemmed("alternative_subtitle"),
  plain("author_name"),
  plain("author_alternative_name"),
  stemmed("series_name"),
  stemmed("chapter"),
  stemmed("subject"),
  plain("place"),
  plain("person"),
  stemmed("time"),
  stemmed("publisher"),
  plain("contributor"),
  stemmed("publish_place"),
  stemmed("publish_date"),
  stemmed("by_statement"),
  stemmed("first_sentence"),
  stemmed("format"),
  plain("number"),
] as const;

/** Columns of `edition_text`, without `token` and `work`. */
export const EDITION_TEXT_COLUMNS = [
  stemmed("title"),
  stemmed("subtitle"),
  stemmed("alternative_title"),
  stemmed("chapter"),
  stemmed("publisher"),
  stemmed("publish_date"),
  stemmed("format"),
  plain("number"),
] as const;

/** Columns of `author_text`, without `token`. */
export const AUTHOR_TEXT_COLUMNS = [
  plain("name"),
  plain("alternate_names"),
  plain("birth_date"),
  plain("death_date"),
  plain("date"),
  stemmed("top_subjects"),
] as const;

/** Columns of `subject_text`, without `token`. */
export const SUBJECT_TEXT_COLUMNS = [stemmed("name")] as const;

/** Columns of `list_text`, without `token`. */
export const LIST_TEXT_COLUMNS = [
  stemmed("name"),
  stemmed("subject"),
  plain("place"),
  plain("person"),
  stemmed("time"),
] as const;
