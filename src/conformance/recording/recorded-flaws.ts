/** What is wrong with a recorded answer, by what it was asked with: pure functions. */
import { meaningOf } from '../../contract/meaning.ts'
import type { Operation } from '../../contract/operation.ts'
import { parametersOf } from '../../contract/parameters.ts'
import { CheckFailure } from '../case-outcome.ts'
import { answerFlaw } from '../declared-flaws.ts'
import { judgeAnswer } from '../derived/answers.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { ProbeExchange } from '../probe-request.ts'
import { fractionalTimes, malformedNumbers } from '../value-checks.ts'
import type { Asked } from './recorded-traffic.ts'

/** Status, content type, envelope and schema. */
export function formFlaw(operation: Operation, exchange: ProbeExchange): string | null {
  const assert = (condition: unknown, message: string) => {
    if (!condition) throw new CheckFailure(message)
  }
  try {
    judgeAnswer({ assert }, operation, exchange)
    return null
  } catch (error) {
    if (error instanceof CheckFailure) return error.message
    throw error
  }
}

/** Order of rows, numbers and times in an answer whose form is right. */
export function contentFlaw(asked: Asked, exchange: ProbeExchange): string | null {
  // Who asks about one twice may be told of it twice.
  const flaw = asksTwice(asked) ? null : answerFlaw(exchange)
  if (flaw !== null) return flaw.message
  const [number] = malformedNumbers(exchange.json)
  if (number !== undefined) return `a number is a plain decimal, not ${number}`
  const [time] = fractionalTimes(exchange.json)
  return time === undefined ? null : `a time is whole, not ${time}`
}

/** More rows than were asked for, or than there may be; null where no number is stated. */
export function limitFlaw(
  operation: Operation,
  { query, body }: Asked,
  { json }: ProbeExchange,
): string | null {
  const parameter = parametersOf(operation).find(({ schema }) => meaningOf(schema) === 'pageSize')
  if (parameter === undefined || !isJsonObject(json)) return null
  const rows = onlyList(json.data)
  const { name, schema } = parameter
  const given = isJsonObject(body) && name in body ? body[name] : new Map(query).get(name)
  const asked = Number(given ?? schema.default)
  const bound = Math.min(...[asked, Number(schema['x-cut'])].filter((one) => one >= 0))
  if (rows === null || rows.length <= bound) return null
  return `${rows.length} rows are at most ${bound} (${name} ${given ?? 'left out'})`
}

function asksTwice({ query, body }: Asked): boolean {
  const lists = [...(isJsonObject(body) ? Object.values(body) : []), body].filter(Array.isArray)
  const texts = query.flatMap(([, value]) => (value.includes(',') ? [value.split(',')] : []))
  return [...lists, ...texts, query.map(String)].some(
    (list) => new Set(list.map((one) => JSON.stringify(one))).size < list.length,
  )
}

function onlyList(data: unknown): readonly unknown[] | null {
  if (Array.isArray(data)) return data
  const lists = isJsonObject(data) ? Object.values(data).filter(Array.isArray) : []
  return lists.length === 1 ? (lists[0] as unknown[]) : null
}
