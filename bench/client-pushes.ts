/**
 * Benchmark of pushes through one subscription of the client, checked and unchecked, against bare
 * `JSON.parse` of the same frames, in turn: best prices, which are most frequent, and whole books.
 */
import { client } from '../src/clients/service/client.ts'
import type { ChannelName } from '../src/clients/service/contract/channels.ts'
import { ClientSocket, ON_CLIENT_SOCKETS } from './measure/client-socket.ts'
import { inTurn } from './measure/in-turn.ts'
import { row } from './measure/result-row.ts'

const FRAMES = 20_000
const START_MS = 1_772_619_630_000

const level = (n: number) => ({ px: `${96_000 + n}.0`, sz: '0.12345', n: 3 })
const levels = (count: number) => Array.from({ length: count }, (_, n) => level(n))
const framesOf = (channel: string, data: (time: number) => object) =>
  Array.from({ length: FRAMES }, (_, n) =>
    JSON.stringify({ channel, data: { coin: 'BTC', time: START_MS + n, ...data(n) } }),
  )

/** Frames with later instants each time, as older ones are ignored. */
const later = (frames: readonly string[], turn: number) =>
  frames.map((text) => text.replace(/"time":(\d+)/, (_, ms) => `"time":${+ms + turn * FRAMES}`))

async function measure(channel: ChannelName & ('bbo' | 'l2Book'), checksPushes: boolean) {
  const service = client({ ...ON_CLIENT_SOCKETS, checksPushes })
  let received = 0
  service.subscribe(channel, { coin: 'BTC' }, () => received++)
  await new Promise((opened) => setTimeout(opened, 50))
  const socket = ClientSocket.latest
  const bids = levels(20)
  const original = framesOf(channel, () =>
    channel === 'bbo' ? { bbo: [level(0), level(1)] } : { levels: [bids, bids] },
  )
  let turn = 0
  const perSecond = (startMs: number) => (FRAMES / (performance.now() - startMs)) * 1000
  const result = await inTurn(
    9,
    async () => {
      const frames = later(original, turn++)
      const startMs = performance.now()
      for (const data of frames) socket.onmessage({ data })
      return perSecond(startMs)
    },
    async () => {
      const frames = later(original, turn)
      const startMs = performance.now()
      for (const data of frames) JSON.parse(data)
      return perSecond(startMs)
    },
  )
  if (received !== turn * FRAMES) throw new Error(`${received} of ${turn * FRAMES} were pushed`)
  service.close()
  const how = checksPushes ? 'checked' : 'unchecked'
  row({ name: `the client's pushes, ${channel}, ${how}`, ...result, unit: 'frames/s' })
}

for (const channel of ['bbo', 'l2Book'] as const)
  for (const checksPushes of [false, true]) await measure(channel, checksPushes)
