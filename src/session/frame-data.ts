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
 * The frame with an event's own data. Of one that is played again, in a later lap or to another
 * sandbox, a template is kept: making it takes longer than writing the frame. An event's data
 * belongs to one channel.
 * @param head what stands before the data
 */
export function passedOn(
  event: PassedOn,
  head: string,
  data: object,
  schema: TSchema,
  as: ShownAs,
): string {
  const { frame } = event
  if (frame === undefined) event.frame = 'written'
  else if (frame === 'written') event.frame = JsonTemplate.of(data, schema, head, '}')
  const template = event.frame === 'written' ? null : event.frame
  return template?.at(as) ?? `${head}${writtenOut(data, schema, as)}}`
}
