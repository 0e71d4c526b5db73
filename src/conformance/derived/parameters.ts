/** What each parameter takes: what must be there, how much is given, and every value of a set. */
import type { Operation } from '../../contract/operation.ts'
import { type Parameter, parametersOf } from '../../contract/parameters.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { requirementsOf } from '../requirements.ts'
import { isJsonObject, isSuccess } from '../response-reading.ts'
import { effectCases } from './effects.ts'
import { callerOf, firstExampleRequest, isSafeToCall } from './example-requests.ts'
import { limitCases } from './limits.ts'

/** Cases for every parameter that has something to hold to. */
export const parameterCases = (operation: Operation): Case[] =>
  !isSafeToCall(operation)
    ? []
    : parametersOf(operation).flatMap((parameter) => [
        ...(parameter.required && parameter.place !== 'path'
          ? [missingCase(operation, parameter)]
          : []),
        ...limitCases(operation, parameter),
        ...effectCases(operation, parameter),
        ...valueCases(operation, parameter),
      ])

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
      probe.assert(!isSuccess(exchange), `${operation.id} refuses a request without ${name}`)
      probe.assert(exchange.status < 500, `${operation.id} does not fail on it: ${exchange.status}`)
      probe.assert(words.includes(name), `the refusal names ${name}`)
    },
  }
}

function valueCases(operation: Operation, parameter: Parameter): Case[] {
  const { name, place, schema } = parameter
  const words = schema.enum as string[] | undefined
  if (place !== 'query' || words === undefined) return []
  return [
    {
      ...base(operation, parameter, 'values'),
      title: `${operation.id} takes every value of ${name}`,
      checks: requirementsOf(operation.id, 'values'),
      async run(probe: Probe) {
        const request = await firstExampleRequest(probe, operation)
        for (const word of words) {
          const exchange = await probe.request({
            ...request,
            query: { ...request.query, [name]: word },
          })
          if (operation.refuses.length > 0 && !isSuccess(exchange)) continue
          probe.assert(isSuccess(exchange), `${operation.id} takes ${name}=${word}`)
        }
      },
    },
  ]
}

const spellings = ({ name, schema }: Parameter): string[] => [
  name,
  ...((schema['x-alias'] as string[] | undefined) ?? []),
]
