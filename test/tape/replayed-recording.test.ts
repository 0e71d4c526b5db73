/** A recording is served unchanged, paced by the playhead. */
import { beforeAll, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { TextStore } from '../../src/tape/replay/as-recorded/recorded-frames.ts'
import { clientSession, recordSession, replaying, WHALE } from '../fixtures/replayed-session.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import type { RecordedTransport } from '../fixtures/traffic-writer.ts'

const inFolder = temporaryFolder()
const recording = inFolder('session.tape.ndjson')

/** Sent messages, without their signatures. */
const messagesIn = ({ events }: RecordedTransport) =>
  events.flatMap(({ time, kind, data }) => {
    if (kind === 'frame') return [[time, data.connection, data.direction, data.text]]
    return kind === 'exchange'
      ? [[time, data.url.replace(/\?.*/, ''), data.status, data.responseBody]]
      : []
  })

let original: RecordedTransport

beforeAll(async () => {
  original = await recordSession(recording)
})

test('recorded, played and recorded again: the same frames and responses', async () => {
  const desk = await replaying(recording, { miss: 'refuse' })
  await clientSession(desk)
  const [before, after] = [messagesIn(original), messagesIn(desk.traffic)]
  expect(before.length).toBeGreaterThan(40)
  expect(after).toEqual(before)
})

const recordedMaker = () =>
  /fills\/(0x[0-9a-f]{40})/.exec(
    original.events.map(({ data }) => JSON.stringify(data)).join(),
  )?.[1]

const bookTime = ({ data }: { data: { time: number } }) => data.time

test('a response is available from its time on; before that, the first is used', async () => {
  const { ask, advance, sandbox } = await replaying(recording, { miss: 'refuse' })
  const startMs = sandbox.playhead.span.startMs
  const book = () => bookTime(ask('POST', '/info', { type: 'l2Book', coin: 'BTC' })) - startMs
  const early = book()
  expect(early).toBeLessThanOrEqual(1500)
  await advance(3999)
  expect(book()).toBe(early)
  await advance(1)
  expect(book()).toBeGreaterThan(early)
})

test('defaults are filled in, and lists of names are sets', async () => {
  const { ask } = await replaying(recording, { miss: 'refuse' })
  const maker = recordedMaker() as string
  expect(ask('GET', `/fills/${maker}?limit=5`).status).toBe(200)
  expect(ask('GET', `/fills/${maker.toUpperCase().replace('0X', '0x')}?limit=5`).status).toBe(200)
  const accounts = ask('POST', '/traders/accounts', { addresses: [WHALE, maker, WHALE] })
  expect(accounts).toMatchObject({ status: 200, data: [{ address: maker }, { address: WHALE }] })
})

test('times are shifted like those of the sandbox', async () => {
  const { ask, sandbox } = await replaying(recording, {
    miss: 'refuse',
    epoch: 'live',
    now: Date.UTC(2030, 0),
  })
  const time = bookTime(ask('POST', '/info', { type: 'l2Book', coin: 'BTC' }))
  const { shiftMs } = sandbox.position()
  expect(shiftMs).toBeGreaterThan(0)
  expect(time - shiftMs - sandbox.playhead.span.startMs).toBeLessThanOrEqual(1500)
})

test('bodies and frames are on disk in an unlinked file, or the failure is reported', async () => {
  const cacheDir = inFolder('kept')
  const texts = new TextStore(cacheDir)
  const long = 'ü'.repeat(1 << 20)
  expect(['', 'a', long, 'b'].map((text) => texts.add(text))).toEqual([0, 1, 2, 3])
  expect([3, 2, 1, 0].map((number) => texts.read(number))).toEqual(['b', long, 'a', ''])
  expect(readdirSync(cacheDir)).toEqual([])
  writeFileSync(inFolder('file'), '')
  const message = await userErrorOf(() => new TextStore(inFolder('file')))
  expect(message).toStartWith(`what is replayed cannot be kept in ${inFolder('file')}: `)
})
