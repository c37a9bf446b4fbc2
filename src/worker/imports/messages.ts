import * as z from "zod";

/** Messages of the queue `carrel-imports`: a file to be split on, or items to be imported. They hold numbers only. */
export const splitMessage = z.object({ split: z.int().positive() });
export const itemsMessage = z.object({ items: z.array(z.int().positive()).min(1) });

export type SplitMessage = z.infer<typeof splitMessage>;
export type ItemsMessage = z.infer<typeof itemsMessage>;
