/** Reads a market event out of data that was handed in. */
import { checkFields } from '../../fields/field-check.ts'
import { FieldFlaw, type FieldPath } from '../../fields/field-flaw.ts'
import { unknownText } from '../../suggestion/nearest-name.ts'
import { EVENT_KINDS, type GivenEvent, kindOf } from './market-event.ts'

/** The event; a FieldFlaw for what no market can do. */
export function readEvent(given: unknown, at: FieldPath = []): GivenEvent {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new FieldFlaw(at, `must be a market event, {kind, …}: ${KINDS.join(', ')}`)
  const { kind, ...fields } = given as Record<string, unknown>
  checkKind(kind, [...at, 'kind'])
  const declared = kindOf({ kind: kind as GivenEvent['kind'] })
  checkFields(declared.fields, fields, at)
  const flaw = declared.flaw?.(fields as never)
  if (flaw) throw new FieldFlaw([...at, flaw.field], flaw.message)
  return given as GivenEvent
}

const KINDS: readonly string[] = EVENT_KINDS.map(({ kind }) => kind)

function checkKind(kind: unknown, at: FieldPath): void {
  if (typeof kind !== 'string')
    throw new FieldFlaw(at, `must be a kind of market event: ${KINDS.join(', ')}`)
  if (!KINDS.includes(kind))
    throw new FieldFlaw(at, `is wrong: ${unknownText('kind of market event', kind, KINDS)}`)
}
