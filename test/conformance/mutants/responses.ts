/** Deviations of answers and of refusals. */
import type { TransportResponse } from '../../../src/conformance/target-transport.ts'
import type { Mutant } from './mutant.ts'

type Json = Record<string, unknown>

/** The first row of data, wherever it stands; null when there is none. */
function rowIn(data: unknown): Json | null {
  if (Array.isArray(data)) return rowIn(data.find((one) => typeof one === 'object' && one !== null))
  if (typeof data !== 'object' || data === null) return null
  const nested = Object.values(data).find((one) => Array.isArray(one) && one.length > 0)
  return rowIn(nested) ?? (data as Json)
}

/** Changes the JSON of successful answers at a place. */
const inAnswer =
  (change: (json: Json, row: Json) => void) =>
  (received: TransportResponse): TransportResponse => {
    if (received.status !== 200) return received
    const json = JSON.parse(received.text) as Json
    const row = rowIn(json.data)
    if (row) change(json, row)
    return { ...received, text: JSON.stringify(json) }
  }

const entry = (row: Json, type: string) =>
  Object.entries(row).find(([, one]) => typeof one === type)

/** What may be wrong with an answer, by what a case should say. */
const ANSWERS: Record<string, Mutant['request']> = {
  'a field has another name': inAnswer((_, row) => {
    const [name = '', value] = Object.entries(row)[0] ?? []
    delete row[name]
    row[`${name}_`] = value
  }),
  'text comes as another type': inAnswer((_, row) => {
    const [name = ''] = entry(row, 'string') ?? entry(row, 'number') ?? []
    row[name] = { wrong: true }
  }),
  'a number comes as text, or text as a number': inAnswer((_, row) => {
    const [name = '', value] = entry(row, 'number') ?? entry(row, 'string') ?? []
    row[name] = typeof value === 'number' ? String(value) : 7
  }),
  'the data is missing': inAnswer((json) => {
    delete json.data
  }),
  'the envelope says that it failed': inAnswer((json) => {
    if ('success' in json) json.success = false
    else json.code = '500'
  }),
  'the code has another type': inAnswer((json) => {
    if ('code' in json) json.code = Number(json.code)
    else if ('errorCode' in json) json.errorCode = String(json.errorCode)
    else json.success = 'true'
  }),
  'it says that it is text': (received) => ({ ...received, contentType: 'text/plain' }),
  'it is answered with 201': (received) =>
    received.status === 200 ? { ...received, status: 201 } : received,
}

const OPERATIONS = [
  ...[
    'coin.list',
    'coin.ticker',
    'index.list',
    'futures.interest',
    'mix.nav',
    'signal.alertConfig',
  ],
  ...['perpdex.tickers', 'perpdex.fillsOfAddress', 'perpdex.ordersLatest', 'perpdex.smartFind'],
  ...['distributor.info', 'stock.quotes'],
]

const answers = OPERATIONS.flatMap((operation) =>
  Object.entries(ANSWERS).map(
    ([what, request]): Mutant => ({
      name: `${operation}: ${what}`,
      caseIdPrefixes: [`answer.${operation}.`],
      ...(request ? { request } : {}),
    }),
  ),
)

const welcome = (received: TransportResponse): TransportResponse =>
  received.status === 401 || received.status === 403
    ? { ...received, status: 200, text: '{"code":"0","msg":"success","data":[]}' }
    : received

const instead =
  (from: string, to: string) =>
  (received: TransportResponse): TransportResponse => ({
    ...received,
    text: received.text.replaceAll(from, to),
  })

const access = ['perpdex.tickers', 'perpdex.topTrades', 'coin.ticker', 'distributor.quota'].flatMap(
  (operation): Mutant[] => [
    {
      name: `${operation}: strangers are let in`,
      caseIdPrefixes: [`access.${operation}.`],
      request: welcome,
    },
    {
      name: `${operation}: 401 in other words`,
      caseIdPrefixes: [`access.${operation}.`],
      request: instead('Invalid signature', 'invalid sign'),
    },
    {
      name: `${operation}: 401 under 403`,
      caseIdPrefixes: [`access.${operation}.`],
      request: (received) => (received.status === 401 ? { ...received, status: 403 } : received),
    },
  ],
)

const permissions = ['perpdex.tickers', 'perpdex.topTrades', 'distributor.quota'].map(
  (operation): Mutant => ({
    name: `${operation}: the refusal names no permission`,
    caseIdPrefixes: [`access.${operation}.permission`],
    request: instead('Permission denied: ', 'Permission denied'),
  }),
)

/** One row more than there may be. */
const oneMore = (received: TransportResponse): TransportResponse => {
  const json = JSON.parse(received.text) as { data?: unknown }
  if (!Array.isArray(json.data) || json.data.length === 0) return received
  return { ...received, text: JSON.stringify({ ...json, data: [...json.data, json.data[0]] }) }
}

const limits: Mutant[] = [
  ...['perpdex.fillsOfAddress', 'perpdex.topTrades', 'perpdex.filledOrdersLatest'].map(
    (operation): Mutant => ({
      name: `${operation}: a cap is off by one`,
      caseIdPrefixes: ['left-out', 'of-two', 'above-its-most'].map(
        (how) => `limits.${how}.${operation}`,
      ),
      request: oneMore,
    }),
  ),
  {
    name: 'perpdex.topTrades: a missing parameter is no error',
    caseIdPrefixes: ['required.perpdex.topTrades'],
    request: (received) =>
      received.status === 400
        ? { ...received, status: 200, text: '{"code":"0","msg":"success","data":[]}' }
        : received,
  },
  {
    name: 'perpdex.topTrades: a refusal does not name the parameter',
    caseIdPrefixes: ['required.perpdex.topTrades'],
    request: (received) => ({ ...received, text: received.text.replace(/: \w+"/, '"') }),
  },
]

export const ANSWER_MUTANTS: readonly Mutant[] = [...answers, ...access, ...permissions, ...limits]
