/** Whether values are what declarations say. */
import { Value, type ValueError } from '@sinclair/typebox/value'
import type { Envelope } from '../contract/envelope.ts'
import type { TSchema } from '../contract/schema.ts'
import { timeMismatch } from './declared-times.ts'
import { isJsonObject } from './parsed-json.ts'

/** Where and how a value is not of its schema, or a time not of its unit; null when all is. */
export function schemaMismatch(schema: TSchema, value: unknown): string | null {
  // To look for what is wrong takes many times as long as to see that nothing is.
  const error = Value.Check(schema, value) ? undefined : Value.Errors(schema, value).First()
  if (!error) return timeMismatch(schema, value)
  const { path, message, value: found } = deepest(error)
  const shown = JSON.stringify(found)?.slice(0, 120) ?? 'nothing'
  return `data${path.replaceAll('/', '.')}: ${message.toLowerCase()}, found ${shown}`
}

/** Of a union no branch fits: the flaw that lies deepest says most. */
function deepest(error: ValueError): ValueError {
  const inner = error.errors.flatMap((all) => [...all]).map(deepest)
  const longest = inner.sort((a, b) => b.path.length - a.path.length)[0]
  return longest && longest.path.length > error.path.length ? longest : error
}

/** What is wrong with the wrapping of a successful answer; null when nothing is. */
export function envelopeMismatch(envelope: Envelope, json: unknown): string | null {
  if (envelope.kind === 'bare') return null
  if (!isJsonObject(json)) return 'the answer is a JSON object'
  for (const [name, value] of Object.entries(expectedFields(envelope))) {
    if (!(name in json)) return `envelope ${envelope.kind} has the field ${name}`
    const [right, found] = [JSON.stringify(value), JSON.stringify(json[name])]
    if (value !== ANY && json[name] !== value)
      return `${name} of envelope ${envelope.kind} is ${right}, not ${found}`
  }
  return null
}

const ANY = Symbol('any')

function expectedFields(envelope: Exclude<Envelope, { kind: 'bare' }>): Record<string, unknown> {
  switch (envelope.kind) {
    case 'A':
      return { success: true, errorCode: 200, error: '', data: ANY }
    case 'B':
      return { code: envelope.code, [envelope.text]: ANY, data: ANY }
    case 'C':
      return {
        success: true,
        ...(envelope.data ? { data: ANY } : {}),
        ...(envelope.message === null ? {} : { message: ANY }),
      }
  }
}
