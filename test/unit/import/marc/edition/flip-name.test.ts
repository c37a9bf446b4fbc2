import { expect, it } from "vitest";
import { flipName } from "../../../../../src/import/marc/edition/text.ts";

it.each([
  ["Smith, John.", "John Smith"],
  ["Smith, J.", "J. Smith"],
  ["Smith,, John", "John Smith"],
  ["Smith,John, Sir", "Sir Smith,John"],
  ["Smith, John, Sir", "John, Sir Smith"],
  ["Smith,", "Smith,"],
  ["No comma.", "No comma"],
  ["War Dept.", "War Dept."],
  ["Martin Luther King, Jr.", "Martin Luther King, Jr."],
  ["Thurston Howell, III", "Thurston Howell, III"],
  ["Le Guin, V.", "V. Le Guin"],
  ["King, Jr.", "Jr King"],
  ["", ""],
])("flipName(%j) is %j", (name, flipped) => expect(flipName(name)).toBe(flipped));
