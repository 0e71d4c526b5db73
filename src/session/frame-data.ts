/** The data of a frame, as text, at the time that clients are shown. */
import type { Facts } from '../contract/facts.ts'
import { JsonTemplate } from '../contract/json-template.ts'
import type { TSchema } from '../contract/schema.ts'
import { type ShownAs, shownValue } from '../contract/shown-value.ts'
import type { PassedOn } from '../contract/timeline.ts'

/** What is passed on follows from the event alone. */
export const WITHOUT_FACTS = Object.freeze({}) as Facts

export function writtenOut(data: unknown, schema: TSchema, as: ShownAs): string {
  return JSON.stringify(shownValue(schema, data, as))
}

/**
 * The frame with an event's own data, which is written once for all laps and sandboxes: an event's
 * data belongs to one channel.
 * @param head what stands before the data
 */
export function passedOn(
  event: PassedOn,
  head: string,
  data: object,
  schema: TSchema,
  as: ShownAs,
): string {
  if (as.lap) return `${head}${writtenOut(data, schema, as)}}`
  if (event.frame === undefined) event.frame = JsonTemplate.of(data, schema, head, '}')
  return event.frame?.at(as.shiftMs) ?? `${head}${writtenOut(data, schema, as)}}`
}
