/** Numbers and spans of any number of digits: cut, answered or refused with the true reason. */
import { describe, expect, test } from 'bun:test'
import type { TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { expectedText } from '../../src/contract/expected-text.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { fullName, type Parameter, parametersOf } from '../../src/contract/parameters.ts'
import { operationPath } from '../../src/contract/paths.ts'
import { isNumberText, type TSchema } from '../../src/contract/schema.ts'
import { readSpan } from '../../src/contract/span.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { exampleRequest, withValue } from '../fixtures/derived-requests.ts'
import { signed } from '../fixtures/fake-market.ts'

const { registry, cast } = await recordedRegistry()
const transport = memoryTransport(registry)
const inventory = cast() as unknown as TargetInventory

/** The response to a valid request with another value of one parameter. */
function answerTo(operation: Operation, parameter: Parameter, value: unknown) {
  const request = withValue(exampleRequest(operation, inventory), parameter, value)
  const at = operationPath(operation)
  const filled = at.replace(/:(\w+)/g, (_, name) => encodeURIComponent(request.path[name] ?? ''))
  const all = `${signed()}&${new URLSearchParams(request.query)}`
  // A number of JSON may have more digits than one of a program.
  const body = JSON.stringify(request.body ?? '').replace(/"(-?\d{16,}|-?\de\d+)"/, '$1')
  const answer = transport.request(operation.method, `${filled}?${all}`, body)
  return `${answer.status} ${answer.body}`
}

/** Its message, when it is a refusal. */
const messageOf = (answer: string): string | undefined =>
  JSON.parse(answer.slice(answer.indexOf(' '))).msg

const digits = (count: number) => '9'.repeat(count)
const LARGEST_KNOWN = 999_999_999_999_999
const LARGE = ['9007199254740991', '9007199254740993', digits(20), digits(40), digits(400)]

const isInteger = ({ type, anyOf, items }: TSchema): boolean =>
  type === 'integer' || (anyOf ?? [items ?? {}]).some((one: TSchema) => one.type === 'integer')

const isNumber = (schema: TSchema): boolean =>
  isInteger(schema) ||
  schema.type === 'number' ||
  isNumberText(schema) ||
  schema['x-identifies'] === 'order'

const NUMBERS = parametersWith(isNumber)
const SPANS = parametersWith((schema) => schema['x-span'] !== undefined)

function parametersWith(has: (schema: TSchema) => boolean) {
  return OPERATIONS.filter(({ changes }) => !changes).flatMap((operation) =>
    parametersOf(operation)
      .filter(({ schema }) => has(schema))
      .map((parameter) => ({ operation, parameter, id: `${operation.id} ${fullName(parameter)}` })),
  )
}

describe('a number of many digits', () => {
  test.each(NUMBERS)('$id counts as any other large number', ({ operation, parameter }) => {
    const beyond = answerTo(operation, parameter, LARGEST_KNOWN)
    const { schema } = parameter
    const message = messageOf(beyond)
    if (message?.startsWith('invalid')) {
      const words = `invalid parameter: ${parameter.name} must be ${expectedText(schema)}`
      expect(message).toBe(words)
      expect(schema.maximum ?? schema.anyOf).toBeDefined()
    }
    for (const value of LARGE) expect(answerTo(operation, parameter, value)).toBe(beyond)
    const least = answerTo(operation, parameter, -LARGEST_KNOWN)
    for (const value of LARGE) expect(answerTo(operation, parameter, `-${value}`)).toBe(least)
  })

  test.each(NUMBERS.filter(({ parameter: { place } }) => place === 'body'))(
    '$id is one that a body writes with an exponent',
    ({ operation, parameter }) => {
      const beyond = answerTo(operation, parameter, LARGEST_KNOWN)
      for (const value of ['1e20', '9e400'])
        expect(answerTo(operation, parameter, value)).toBe(beyond)
    },
  )

  test.each(NUMBERS)('$id ignores leading zeros', ({ operation, parameter }) => {
    if (parameter.place === 'body') return
    const one = answerTo(operation, parameter, '1')
    expect(answerTo(operation, parameter, `${'0'.repeat(20)}1`)).toBe(one)
  })
})

describe('a span of many digits', () => {
  test.each(SPANS)('$id has its exact length', ({ operation, parameter }) => {
    const [least, most] = parameter.schema['x-span'] as [string, string]
    const mostS = (readSpan(most) as number) / 1000
    const longest = answerTo(operation, parameter, most)
    const inSeconds = answerTo(operation, parameter, `${mostS}s`)
    expect(inSeconds.replace(`"interval":"${mostS}s"`, `"interval":"${most}"`)).toBe(longest)
    const words = `${parameter.name} must be a span such as 15m, from ${least} to ${most}`
    for (const value of [`${mostS + 1}s`, `${digits(20)}s`, `${digits(400)}w`])
      expect(messageOf(answerTo(operation, parameter, value))).toBe(`invalid parameter: ${words}`)
  })
})
