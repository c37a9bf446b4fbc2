import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** `item` in D1 `CATALOG` (migrations/catalog/0006). */
export const item = sqliteTable("item", {
  ocaid: text("ocaid").primaryKey(),
  collections: text("collections", { mode: "json" }).$type<string[]>().notNull().default([]),
  accessRestricted: integer("access_restricted", { mode: "boolean" }).notNull().default(false),
  copies: integer("copies").notNull().default(1),
  browse: integer("browse", { mode: "boolean" }).notNull().default(false),
  mediatype: text("mediatype").notNull().default("texts"),
  imagecount: integer("imagecount"),
  updated: text("updated").notNull(),
});

/** `sequence` in D1 `CATALOG` (migrations/catalog/0004). */
export const sequence = sqliteTable("sequence", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});
