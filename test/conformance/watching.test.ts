/** Repeated probing of a target: its reports, and no changes there. */
import { expect, test } from 'bun:test'
import { withTarget } from '../../src/conformance/target-place.ts'
import type { TargetTransport, TransportRequest } from '../../src/conformance/target-transport.ts'
import type { Look } from '../../src/conformance/watch/drift.ts'
import {
  lookAt,
  readOnly,
  type Sighting,
  WatchMemory,
  watch,
} from '../../src/conformance/watch/watch.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { hurriedClock } from '../fixtures/hurried-clock.ts'
import { memoryTarget } from '../fixtures/memory-probe.ts'

const HOUR_MS = 3_600_000

/** Runs passes an hour apart, and returns the reports. */
async function watched(
  looks: ((known: Look | null) => Promise<Look>)[],
  contradictions = async (): Promise<string[]> => [],
) {
  const systemClock = hurriedClock()
  const controller = new AbortController()
  const sightings: (Sighting & { afterMs: number })[] = []
  let known: Look | null = null
  await watch({
    everyMs: HOUR_MS,
    systemClock,
    signal: controller.signal,
    look: (before) => {
      const next = looks.shift()
      if (next) return next(before)
      controller.abort()
      throw new UserError('it has ended')
    },
    read: () => known,
    write: async (after) => {
      known = after
    },
    contradictions,
    onSighting: (sighting) => sightings.push({ ...sighting, afterMs: systemClock.monotonicMs() }),
  })
  return sightings
}

const answering = (questions: Record<string, string>) => async (): Promise<Look> => ({
  forms: {},
  questions,
})

const unreachable = async () => {
  throw new UserError('it is not answered (ECONNREFUSED)')
}

test('later passes are compared with the first, also after a failure', async () => {
  const [first, failed, same, other, again] = await watched([
    answering({ 'nonce-reuse': 'accept' }),
    unreachable,
    answering({ 'nonce-reuse': 'accept' }),
    answering({ 'nonce-reuse': 'reject' }),
    answering({ 'nonce-reuse': 'reject' }),
  ])
  expect(first).toMatchObject({ kind: 'baseline', questions: 1, afterMs: 0 })
  expect(failed).toMatchObject({ kind: 'failed', why: 'it is not answered (ECONNREFUSED)' })
  expect(same).toMatchObject({ kind: 'drift', drift: [], afterMs: 2 * HOUR_MS })
  expect(other).toMatchObject({ drift: ['open question nonce-reuse: accept before, reject now'] })
  // It is reported once.
  expect(again).toMatchObject({ kind: 'drift', drift: [], afterMs: 4 * HOUR_MS })
})

test('a target is probed without changes, and different responses are reported', async () => {
  const { target, transport } = await memoryTarget()
  const sent: TransportRequest[] = []
  const look = (known: Look | null, change: (text: string) => string) => {
    const changed: TargetTransport = {
      ...transport,
      async request(requested) {
        sent.push(requested)
        const received = await transport.request(requested)
        return { ...received, text: change(received.text) }
      },
    }
    const systemClock = hurriedClock()
    const { keys } = target
    const settings = { baseUrl: 'http://there', keys, patienceMs: 0, systemClock }
    return withTarget({ ...settings, transport: readOnly(changed) }, (place) =>
      lookAt(place, systemClock, known),
    )
  }
  const renamed = (text: string) => text.replaceAll('"coin_key":', '"coinKey":')
  const [first, same, other] = await watched([
    (known) => look(known, (text) => text),
    (known) => look(known, (text) => text),
    (known) => look(known, renamed),
  ])
  expect(first).toMatchObject({ kind: 'baseline' })
  expect(same).toMatchObject({ kind: 'drift', drift: [] })
  const { drift } = other as Sighting & { kind: 'drift' }
  expect(drift.filter((line) => line.startsWith('coin.list'))).toEqual([
    'coin.list: data[].coinKey is new, text',
    'coin.list: data[].coin_key is gone',
  ])
  const CHANGING = /addSignalAlert|deleteSignalAlert|register|levels\/./
  const changing = sent.filter(
    ({ method, path }) => CHANGING.test(path) && !(method === 'GET' && path.includes('levels')),
  )
  expect(changing).toEqual([])
})

test('a row of the past that is another one in a later pass is reported once', async () => {
  const { target, transport } = await memoryTarget()
  const memory = new WatchMemory()
  let isChanged = false
  const changing: TargetTransport = {
    ...transport,
    async request(sent) {
      const received = await transport.request(sent)
      if (!isChanged || !sent.path.includes('/open-interest/history')) return received
      const { data, ...envelope } = JSON.parse(received.text)
      const row = data[data.length >> 1]
      for (const name of Object.keys(row))
        if (name !== 'time') row[name] = typeof row[name] === 'number' ? row[name] + 1 : '1'
      return { ...received, text: JSON.stringify({ ...envelope, data }) }
    },
  }
  const { keys } = target
  const settings = { baseUrl: 'http://there', keys, patienceMs: 0, systemClock: hurriedClock() }
  const through = readOnly(changing)
  const look = (known: Look | null, becomes: boolean) => {
    isChanged = becomes
    return withTarget({ ...settings, transport: through, ledger: memory.ledger }, (place) =>
      lookAt(place, settings.systemClock, known),
    )
  }
  const sightings = await watched(
    [false, false, true, true].map((becomes) => (known) => look(known, becomes)),
    () => memory.contradictions(async () => {}),
  )
  memory.close()
  const drift = sightings.map((one) => ('drift' in one ? one.drift : one.kind))
  expect(drift).toEqual([
    'baseline',
    [],
    [expect.stringMatching(/^ledger.past-rows: perpdex.openInterestHistory: the row of \d+ has c/)],
    [],
  ])
})
