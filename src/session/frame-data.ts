/** The data of a frame, as text, at the time that clients are shown. */
import type { Facts } from '../contract/facts.ts'
import { JsonTemplate } from '../contract/json-template.ts'
import { rebaseOf } from '../contract/rebase.ts'
import type { TSchema } from '../contract/schema.ts'

/** What is passed on follows from the event alone. */
export const WITHOUT_FACTS = Object.freeze({}) as Facts

export function writtenOut(data: unknown, schema: TSchema, shiftMs: number): string {
  return JSON.stringify(shiftMs === 0 ? data : (rebaseOf(schema)?.(data, shiftMs) ?? data))
}

/**
 * The frame with an event's own data, which is written once for all laps and sandboxes.
 * @param head what stands before the data
 */
export function passedOn(head: string, data: object, schema: TSchema, shiftMs: number): string {
  let template = templates.get(data)
  if (template === undefined) {
    template = JsonTemplate.of(data, schema, head, '}')
    templates.set(data, template)
  }
  return template?.at(shiftMs) ?? `${head}${writtenOut(data, schema, shiftMs)}}`
}

/** For as long as the events are kept. An event's data belongs to one channel. */
const templates = new WeakMap<object, JsonTemplate | null>()
