/** The range of time that a type is asked for; by null the venue's clients leave an end open. */
import { meant } from '../meaning.ts'
import { Nullable, TimeMs, Type } from '../schema.ts'

export const RangeStart = meant('rangeStart', Type.Optional(Nullable(TimeMs('from'))))

export const RangeEnd = meant('rangeEnd', Type.Optional(Nullable(TimeMs('to'))))
