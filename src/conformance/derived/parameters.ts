/** What each parameter takes: what must be there, how much is given, and every value of a set. */

import type { Operation } from '../../contract/operation.ts'
import { type Parameter, parametersOf, typedParametersOf } from '../../contract/parameters.ts'
import type { TSchema } from '../../contract/schema.ts'
import { assertAtMost, assertNoSuccess, assertSame } from '../assertions.ts'
import type { Case } from '../case.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { requirementsOf } from '../requirements.ts'
import { isSuccess } from '../response-reading.ts'
import { AskedOperation } from './asked-operation.ts'
import { batchCases } from './batches.ts'
import { effectCases } from './effects.ts'
import { callerOf, firstExampleRequest, isSafeToCall } from './example-requests.ts'
import { limitCases } from './limits.ts'

/** Cases for every parameter that has something to hold to. */
export const parameterCases = (operation: Operation): Case[] =>
  !isSafeToCall(operation)
    ? []
    : [
        ...parametersOf(operation).flatMap((parameter) => [
          ...(parameter.required && parameter.place !== 'path'
            ? [missingCase(operation, parameter)]
            : []),
          ...limitCases(operation, parameter),
          ...batchCases(operation, parameter),
          ...effectCases(operation, parameter),
          ...valueCases(operation, parameter),
        ]),
        // What bodies of a type hold is the venue's: how much, and what is refused, it may change.
        ...typedParametersOf(operation).flatMap((parameter) => effectCases(operation, parameter)),
      ]

const base = (operation: Operation, parameter: Parameter, family: string) => ({
  id: `${family}.${operation.id}.${parameter.name}`,
  ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
})

function missingCase(operation: Operation, parameter: Parameter): Case {
  const { name, place } = parameter
  return {
    ...base(operation, parameter, 'required'),
    title: `${operation.id} refuses to be asked without ${name}`,
    checks: requirementsOf(operation.id, 'required'),
    async run(probe: Probe) {
      const request = await firstExampleRequest(probe, operation)
      const rest = { ...(request[place as 'query' | 'body'] as object) } as Record<string, string>
      for (const spelling of spellings(parameter)) delete rest[spelling]
      const exchange = await probe.request({ ...request, [place]: rest })
      const words = isJsonObject(exchange.json) ? JSON.stringify(exchange.json) : exchange.text
      assertNoSuccess(probe, exchange, `${operation.id} refuses a request without ${name}`)
      assertAtMost(
        probe,
        exchange.status,
        499,
        `${operation.id} does not fail on it: ${exchange.status}`,
      )
      probe.assert(words.includes(name), `the refusal names ${name}`, {
        expected: `… ${name} …`,
        found: words,
      })
    },
  }
}

function valueCases(operation: Operation, parameter: Parameter): Case[] {
  const words = listedValues(parameter.schema)
  if (words.length === 0) return []
  const { id, refuses } = operation
  return [
    {
      ...base(operation, parameter, 'values'),
      title: `${id} serves every value of ${parameter.name}`,
      checks: requirementsOf(id, 'values'),
      async run(probe: Probe) {
        const asked = new AskedOperation(probe, operation)
        const refused: unknown[] = []
        for (const word of words)
          if (!isSuccess(await asked.withValue(parameter, word).exchange())) refused.push(word)
        if (refuses.length > 0 && refused.length === words.length)
          probe.skip('the target does not know what the example asks for')
        assertSame(probe, refused, [], `${id} serves ${parameter.name}=${refused.join(', ')}`)
      },
    },
  ]
}

/** The values of a set, or the least and the most of spans; none where others are taken too. */
function listedValues(schema: TSchema): unknown[] {
  if (schema.enum) return schema.enum
  if (schema['x-span']) return schema['x-span']
  const branches = (schema.anyOf ?? []) as TSchema[]
  const isSet = branches.length > 0 && branches.every((branch) => branch.const !== undefined)
  if (isSet) return branches.map((branch) => branch.const)
  const { minimum, maximum } = schema
  const isFew = maximum !== undefined && maximum - minimum < FEW
  return isFew ? Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at) : []
}

/** Whole numbers between two bounds are listed when they are no more than this. */
const FEW = 5

const spellings = ({ name, schema }: Parameter): string[] => [
  name,
  ...((schema['x-alias'] as string[] | undefined) ?? []),
]
