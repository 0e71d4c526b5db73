/** Differences in form between two targets' responses to the same requests, without values. */
import { OPERATIONS } from '../contract/catalogue.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { exampleRequest, isSafeToCall } from './derived/tested-operation.ts'
import type { Probe } from './probe.ts'
import { isJsonObject } from './responses.ts'

/** Differences of one operation. */
export interface Difference {
  operation: string
  /** Such as `data[].price: text here, number there`. */
  where: string[]
}

/** Sends both the first example of every operation that changes nothing. */
export async function differences(here: () => Probe, there: () => Probe): Promise<Difference[]> {
  const found: Difference[] = []
  for (const operation of OPERATIONS.filter(isSafeToCall)) {
    const [one, other] = await Promise.all(
      [here(), there()].map(async (probe) => {
        try {
          const { status, json } = await probe.request(
            await exampleRequest(probe, operation, operation.examples[0]),
          )
          return { status, form: formOf(json) }
        } catch (error) {
          if (error instanceof SkipCase || error instanceof CheckFailure) return null
          throw error
        }
      }),
    )
    if (!one || !other) continue
    const where = [
      ...(one.status === other.status ? [] : [`status: ${one.status} here, ${other.status} there`]),
      ...formDifferences(one.form, other.form),
    ]
    if (where.length > 0) found.push({ operation: operation.id, where })
  }
  return found
}

/** Every path of a value with its types; a list is one path. */
export function formOf(value: unknown, path = ''): Map<string, Set<string>> {
  const form = new Map<string, Set<string>>()
  const note = (at: string, type: string) => form.set(at, (form.get(at) ?? new Set()).add(type))
  const walk = (one: unknown, at: string): void => {
    if (Array.isArray(one)) {
      note(at, 'list')
      for (const item of one.slice(0, 100)) walk(item, `${at}[]`)
    } else if (isJsonObject(one)) {
      note(at, 'object')
      for (const [name, inner] of Object.entries(one))
        walk(inner, `${at}${at === '' ? '' : '.'}${keyOf(name)}`)
    } else note(at, one === null ? 'null' : typeof one === 'string' ? 'text' : typeof one)
  }
  walk(value, path)
  return form
}

/** Names that are values, such as prices and addresses, are one path. */
const keyOf = (name: string): string => (/^(0x|\d)/.test(name) ? '*' : name)

/** Paths without a common type; an empty list is no evidence of its elements. */
export function formDifferences(
  here: ReadonlyMap<string, ReadonlySet<string>>,
  there: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const paths = [...new Set([...here.keys(), ...there.keys()])]
  return paths.flatMap((path) => {
    const [one, other] = [here.get(path), there.get(path)]
    if (one && other) {
      const common =
        [...one].some((type) => other.has(type)) || one.has('null') || other.has('null')
      return common ? [] : [`${path}: ${[...one].join('/')} here, ${[...other].join('/')} there`]
    }
    const lacking = one ? there : here
    if (!parentOf(path, lacking)) return []
    return [`${path}: ${one ? 'here, not there' : 'there, not here'}`]
  })
}

/** Whether the parent of a path exists. */
function parentOf(path: string, form: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const parent = path.endsWith('[]') ? null : path.slice(0, Math.max(0, path.lastIndexOf('.')))
  return parent !== null && (form.get(parent)?.has('object') ?? false)
}
