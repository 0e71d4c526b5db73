/** Reads a market event out of data that was handed in. */
import { checkFields } from '../../contract/fields/field-check.ts'
import { FieldFlaw, type FieldPath, FlawList } from '../../contract/fields/field-flaw.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { EVENT_KINDS, type GivenEvent, kindOf } from './market-event.ts'

/** The event; a FieldFlaw for what no market can do. */
export function readEvent(given: unknown, at: FieldPath = []): GivenEvent {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new FieldFlaw(at, `must be a market event, {kind, …}: ${KINDS.join(', ')}`)
  const { kind, ...fields } = given as Record<string, unknown>
  checkKind(kind, fields, at)
  const declared = kindOf({ kind: kind as GivenEvent['kind'] })
  checkFields(declared.fields, fields, at)
  const flaw = declared.flaw?.(fields as never)
  if (flaw) throw new FieldFlaw([...at, flaw.field], flaw.message)
  return given as GivenEvent
}

const KINDS: readonly string[] = EVENT_KINDS.map(({ kind }) => kind)

const FIELDS = new Set(EVENT_KINDS.flatMap(({ fields }) => Object.keys(fields.properties)))

/** Of an event without a kind those fields are wrong that no kind has. */
function checkKind(kind: unknown, fields: object, at: FieldPath): void {
  if (typeof kind === 'string' && KINDS.includes(kind)) return
  const flaws = new FlawList()
  flaws.add(
    [...at, 'kind'],
    typeof kind === 'string'
      ? `is wrong: ${unknownText('kind of market event', kind, KINDS)}`
      : `must be a kind of market event: ${KINDS.join(', ')}`,
  )
  for (const name of Object.keys(fields))
    if (!FIELDS.has(name)) flaws.add([...at, name], `is wrong: no kind has "${name}"`)
  flaws.end()
}
