/** A coin's data begins with its listing: nothing is invented before. */
import { afterAll, expect, test } from 'bun:test'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { meaningOf } from '../../src/contract/meaning.ts'
import { bodyOf, type Example, type Operation } from '../../src/contract/operation.ts'
import { parametersOf } from '../../src/contract/parameters.ts'
import { operationPath } from '../../src/contract/paths.ts'
import type { TSchema } from '../../src/contract/schema.ts'
import { instantsOf } from '../../src/contract/shown-value.ts'
import { readSpan } from '../../src/contract/span.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { signed } from '../fixtures/fake-market.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'

const line = await smallLine()
afterAll(line.remove)
const { registry } = await lineRegistry(line, { epoch: 'tape' })
const control = controlCaller(registry)
await control('market.trigger', {
  params: { id: 'default' },
  body: { kind: 'listing', coin: 'NOVA', px: 0.42, afterS: 30.25 },
})
const LISTED_MS = line.tapeEndMs + 30_250
await control('clock.advance', { params: { id: 'default' }, body: { ms: 400_000 } })
const transport = memoryTransport(registry)

/** Names of the coin, or of its pairs, in operations. */
const NAMES = ['NOVA', 'nova', 'novaswapusdc:hl', 'novaswapusdc', 'novaswapusdt:binance']

const MS: Record<string, (value: never) => number> = {
  ms: Number,
  s: (value) => Number(value) * 1000,
  sOrMs: (value) => (Number(value) < 1e11 ? Number(value) * 1000 : Number(value)),
  msDigits: Number,
  sDigits: (value) => Number(value) * 1000,
  iso: (value) => Date.parse(value),
  text: (value) => Date.parse(`${(value as string).replace(' ', 'T')}Z`),
}

/** All instants of data, ms. */
function instantsIn(schema: TSchema, data: unknown): number[] {
  const found: number[] = []
  instantsOf(schema)?.(data, (leaf, unit) => {
    if (leaf !== null) found.push(MS[unit]?.(leaf as never) as number)
    return leaf
  })
  return found
}

const SUBJECTS = ['coin', 'symbol']
const isOfCoins = (operation: Operation) =>
  parametersOf(operation).some(({ schema }) => SUBJECTS.includes(meaningOf(schema) ?? '')) ||
  operation.bodies !== undefined
const OF_COINS = OPERATIONS.filter((one) => isOfCoins(one) && !one.changes)

/** An example for the coin, once for each of its intervals, with the maximum number of rows. */
function* requestsOf(operation: Operation, example: Example, name: string) {
  const query = { ...example.query }
  const path = { ...example.path }
  const holders = { path, query } as Record<string, Record<string, string>>
  const lengths: [holder: Record<string, string>, name: string, values: string[]][] = []
  for (const parameter of parametersOf(operation)) {
    const holder = holders[parameter.place]
    const meaning = meaningOf(parameter.schema) ?? ''
    if (!holder) continue
    if (SUBJECTS.includes(meaning)) holder[parameter.name] = name
    if (meaning === 'pageSize') holder[parameter.name] = '1000'
    if (['rangeStart', 'rangeEnd'].includes(meaning)) delete holder[parameter.name]
    const { enum: words, 'x-span': span, 'x-length': unit } = parameter.schema
    if (unit === 's') lengths.push([holder, parameter.name, ['60', '3600']])
    else if (words && readSpan(words[0]) !== null) lengths.push([holder, parameter.name, words])
    else if (span) lengths.push([holder, parameter.name, ['1m', '1h', span[1]]])
  }
  const body = example.body && JSON.parse(JSON.stringify(example.body).replace('"BTC"', '"NOVA"'))
  const [[holder, length, values] = [query, '', ['']]] = lengths
  for (const value of values) {
    if (length !== '') holder[length] = value
    const unitMs = /^\d+$/.test(value) ? Number(value) * 1000 : (readSpan(value) ?? 60_000)
    yield { path: { ...path }, query: { ...query }, body, lengthMs: unitMs }
  }
}

/** Smallest difference of two instants; of a single one, unlimited. */
function stepOf(timesMs: readonly number[]): number {
  const times = [...new Set(timesMs)].sort((a, b) => a - b)
  const steps = times.slice(1).map((timeMs, at) => timeMs - (times[at] as number))
  return Math.min(...steps, Number.POSITIVE_INFINITY)
}

test.each(OF_COINS)('$id has no data of a coin from before its listing', (operation) => {
  for (const example of operation.examples)
    for (const name of NAMES)
      for (const { path, query, body, lengthMs } of requestsOf(operation, example, name)) {
        const at = operationPath(operation)
        const filled = at.replace(/:(\w+)/g, (_, part) => encodeURIComponent(path[part] ?? ''))
        const url = `${filled}?${signed()}&${new URLSearchParams(query)}`
        const answer = transport.request(operation.method, url, body ? JSON.stringify(body) : '')
        if (answer.status !== 200) continue
        const { data } = JSON.parse(answer.body)
        const schema = bodyOf(operation, body)?.data ?? operation.data
        // A sent cursor is echoed.
        const sent = Object.values(query).map(Number)
        const scheduled = instantsIn(schema, data).filter((timeMs) => !sent.includes(timeMs))
        const earliest = Math.min(...scheduled)
        // A span of several rows is not the length of one.
        const firstMs = LISTED_MS - Math.min(lengthMs, stepOf(scheduled))
        expect([filled, query, earliest > firstMs]).toEqual([filled, query, true])
      }
})

const listings = (language: string) => {
  const query = new URLSearchParams({ language, pageSize: '1000', memberIds: '477,1509,1001' })
  const path = `/api/upgrade/v2/content/exchange-listing-flash?${signed()}&${query}`
  return JSON.parse(transport.request('GET', path).body).data as { id: number; title: string }[]
}

test('no other exchange announces a coin that the venue lists', () => {
  for (const language of ['cn', 'en'])
    expect(listings(language).filter(({ title }) => title.includes('NOVA'))).toEqual([])
  const ids = listings('en').map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(50)
  expect(new Set(ids).size).toBe(ids.length)
})

test('announced coins are in the list of coins', () => {
  const { data } = JSON.parse(transport.request('GET', `/api/upgrade/v2/coin?${signed()}`).body)
  const shown = new Set(data.map(({ show }: { show: string }) => show))
  const announced = listings('en').map(({ title }) => / (?:de)?lists? (\w+)\//.exec(title)?.[1])
  expect(announced.length).toBeGreaterThan(50)
  for (const coin of announced) expect(shown).toContain(coin)
})
