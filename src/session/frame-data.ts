/** The data of a frame, as text, at the time that clients are shown. */
import type { Facts } from '../contract/facts.ts'
import type { TSchema } from '../contract/schema.ts'
import { type ShownAs, shownValue } from '../contract/shown-value.ts'

/** What is passed on follows from the event alone. */
export const WITHOUT_FACTS = Object.freeze({}) as Facts

export function writtenOut(data: unknown, schema: TSchema, as: ShownAs): string {
  return JSON.stringify(shownValue(schema, data, as))
}
