/** The output of commands that inspect tapes. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import type { EventDraft } from '../../src/tape/tape-event.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { EVENTS_OF_EVERY_KIND, userErrorOf, writeTape } from '../fixtures/sample-tape.ts'
import { tapeCommand } from '../fixtures/tape-command.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const TAPE = at('kinds.tape.ndjson')
await writeTape(TAPE, EVENTS_OF_EVERY_KIND)

const run = tapeCommand()

test('tape info shows header and coins', async () => {
  const [code, text] = await run('info', TAPE)
  expect(code).toBe(0)
  expect(text).toContain('duration     0.015s')
  expect(text).toMatch(/BTC +1 +2 +100 +100 +100 +100 +0.5/)
})

test('tape info --json is the header with its coins', async () => {
  const [, text] = await run('info', TAPE, '--json')
  const { coins, bytes, events, kinds, silences, recording, intervalMs, ...header } =
    JSON.parse(text)
  expect(header).toEqual((await openTape(TAPE)).header)
  expect(coins).toMatchObject([{ coin: 'BTC', volume: '0.5', firstPx: '100' }])
  expect(coins[0].turnovers.reduce((sum: number, one: number) => sum + one, 0)).toBe(50)
  expect(coins[0].prices.filter((px: number | null) => px !== null).at(-1)).toBe(100)
  expect(events).toBe(13)
  expect(kinds[0]).toEqual({ kind: 'trade', count: 1, perSecond: 1 / 0.015 })
  expect(silences).toEqual({ leastMs: 10_000, count: 0, totalMs: 0, longest: [] })
  expect(recording).toEqual({
    exchanges: { 'GET 200': 1 },
    frames: { in: 1 },
    connections: 1,
    missing: [{ fromMs: 1014, toMs: 1015, why: 'the disk was full', lost: 2 }],
    missingCount: 1,
  })
  expect([bytes, intervalMs]).toEqual([Bun.file(TAPE).size, 1])
})

/** A price that rises for a second, and has fallen after half a minute without events. */
const WITH_A_GAP: EventDraft[] = Array.from({ length: 200 }, (_, at) => {
  const [time, px] = at < 100 ? [at * 10, 100 + at / 10] : [30_000 + at * 10, 95]
  return { time, kind: 'trade', coin: 'BTC', data: { side: 'A', px: String(px), sz: '1', tid: at } }
})

test('tape info shows gaps and the course of a price', async () => {
  await writeTape(at('gap'), WITH_A_GAP)
  const [, text] = await run('info', at('gap'))
  expect(text).toMatch(
    /gaps +1 of 10s or longer, 30.01s in all\n +1970-01-01T00:00:00.990Z +30.01s\n/,
  )
  expect(text).toContain('-5.00 %')
  const [row = ''] = text.split('\n').filter((line) => line.includes('BTC') && line.includes('%'))
  expect(row.trimEnd().slice(-24)).toBe('███████████████████████▁')
})

test('tape diff shows where tapes differ, and exits with 1', async () => {
  expect(await run('diff', TAPE, TAPE)).toEqual([0, `${TAPE} and ${TAPE} are the same: 13 events`])
  const changed = EVENTS_OF_EVERY_KIND.map((event) =>
    event.kind === 'mark' ? { ...event, data: { mark: '100.6', oracle: '100.5' } } : event,
  )
  await writeTape(at('other'), changed.slice(0, -1))
  const [code, text] = await run('diff', TAPE, at('other'))
  expect(code).toBe(1)
  expect(text).toMatch(/gap +1 +0/)
  expect(text).toMatch(/endMs +1015 +1014/)
  expect(text).toContain('first difference after 2 events that are the same')
  expect(text).toMatch(/A \{"time":1001.*"mark":"100.55"/)
  expect(text).toMatch(/B \{"time":1001.*"mark":"100.6"/)
  const [, json] = await run('diff', TAPE, at('other'), '--json')
  expect(JSON.parse(json)).toMatchObject({
    same: false,
    events: { a: 13, b: 12 },
    first: { same: 2, a: { kind: 'mark' } },
  })
})

test('tape plot draws prices, turnover and spreads', async () => {
  const [code] = await run('plot', TAPE, '--out', at('plot.svg'))
  expect(code).toBe(0)
  const svg = readFileSync(at('plot.svg'), 'utf8')
  expect(svg).toMatch(/^<svg .*\n/)
  for (const name of ['price', 'turnover', 'spread']) expect(svg).toContain(`class="${name}"`)
  expect(svg).not.toContain('NaN')
  expect(await userErrorOf(() => run('plot', TAPE, '--coins', 'ETH'))).toContain('has no coin ETH')
})

test('tape plot refuses a tape without a coin', async () => {
  const [exchange] = EVENTS_OF_EVERY_KIND.filter(({ kind }) => kind === 'exchange')
  await writeTape(at('recording'), [exchange as EventDraft], [])
  expect(await userErrorOf(() => run('plot', at('recording'), '--out', at('no.svg')))).toBe(
    `${at('recording')}: has no coin to draw; tape info says what is in it`,
  )
  expect(existsSync(at('no.svg'))).toBe(false)
})
