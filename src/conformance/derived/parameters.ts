/** What each parameter takes: what must be there, how much is given, and every value of a set. */
import { meaningOf } from '../../contract/meaning.ts'
import type { Operation } from '../../contract/operation.ts'
import { type Parameter, parametersOf } from '../../contract/parameters.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { requirementsOf } from '../requirements.ts'
import { isJsonObject, isSuccess } from '../response-reading.ts'
import { callerOf, firstExampleRequest, isSafeToCall } from './example-requests.ts'

/** Cases for every parameter that has something to hold to. */
export const parameterCases = (operation: Operation): Case[] =>
  !isSafeToCall(operation)
    ? []
    : parametersOf(operation).flatMap((parameter) => [
        ...(parameter.required && parameter.place !== 'path'
          ? [missingCase(operation, parameter)]
          : []),
        ...limitCases(operation, parameter),
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

/** A list is as long as its limit at most, however much is asked for. */
function limitCases(operation: Operation, parameter: Parameter): Case[] {
  const { name, place, schema } = parameter
  const [usually, max] = [schema.default, schema['x-cut']] as (number | undefined)[]
  const isCount = place === 'query' && schema.type === 'integer' && meaningOf(schema) === 'pageSize'
  if (!isCount || !isList(operation)) return []
  const given: [string, number | undefined, number | undefined][] = [
    ['left out', undefined, usually],
    // Few have as much as the most: what is counted wrongly shows with little.
    ['of two', 2, 2],
    ['at its most', max, max],
    ['above its most', max === undefined ? undefined : max + 1, max],
  ]
  return given.flatMap(([how, value, bound]): Case[] => {
    if (bound === undefined || (value === undefined && how !== 'left out')) return []
    return [
      {
        ...base(operation, parameter, `limits.${how.replaceAll(' ', '-')}`),
        title: `${operation.id} gives at most ${bound} with ${name} ${how}`,
        checks: requirementsOf(operation.id, 'limits'),
        async run(probe: Probe) {
          const request = await firstExampleRequest(probe, operation)
          const query = { ...request.query } as Record<string, string>
          for (const spelling of spellings(parameter)) delete query[spelling]
          if (value !== undefined) query[name] = String(value)
          const exchange = await probe.request({ ...request, query })
          if (operation.refuses.length > 0 && !isSuccess(exchange))
            probe.skip('the target does not know what the example asks for')
          probe.assert(isSuccess(exchange), `${name} ${how} is no error but a silent cut`)
          const rows = listIn(exchange.json)
          probe.assert(rows !== null, 'the data is a list')
          probe.assert(rows.length <= bound, `${rows.length} rows are at most ${bound}`)
        },
      },
    ]
  })
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

const isList = ({ data }: Operation): boolean => data.type === 'array'

const listIn = (json: unknown): unknown[] | null =>
  isJsonObject(json) && Array.isArray(json.data) ? json.data : null
