/**
 * Benchmark of the time at 1x from a market event's call until a socket receives it: a large whale
 * order, against the next trade after a call without effect. The worst of some rounds; in each the
 * sandbox moves to its own market, and is reset.
 */
import { serve, socketPath, subscribe } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const ROUNDS = 5
const USD = 1_500_000
/** Minimum value of a trades frame that only such an order produces. */
const SEEN_USD = 600_000
const server = await serve([])
const control = `http://localhost:${server.port}/_control/sandboxes/default`

interface Trade {
  px: string
  sz: string
}

const post = (path: string, body: object) =>
  fetch(control + path, { method: 'POST', body: JSON.stringify(body) })

/** From a call to the first trades frame of a minimum value, ms. */
async function delayMs(call: () => Promise<Response>, usd: number): Promise<number> {
  const socket = new WebSocket(`ws://localhost:${server.port}${socketPath()}`)
  const opened = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<number>()
  let calledMs = Number.POSITIVE_INFINITY
  socket.onmessage = ({ data }) => {
    const nowMs = performance.now()
    if (!data.startsWith('{"channel":"trades"')) return
    const trades = JSON.parse(data).data as Trade[]
    // The first frame is the snapshot.
    if (calledMs === Number.POSITIVE_INFINITY) opened.resolve()
    else if (trades.reduce((sum, { px, sz }) => sum + Number(px) * Number(sz), 0) >= usd)
      seen.resolve(nowMs - calledMs)
  }
  socket.onopen = () => socket.send(subscribe({ type: 'trades', coin: 'BTC' }))
  await opened.promise
  calledMs = performance.now()
  const answer = await call()
  if (!answer.ok) throw new Error(await answer.text())
  const delay = await seen.promise
  socket.close()
  return delay
}

const [scheduled, unscheduled] = [[] as number[], [] as number[]]
for (let round = 0; round < ROUNDS; round++) {
  unscheduled.push(await delayMs(() => fetch(control), 0))
  const whale = { kind: 'whale', coin: 'BTC', side: 'buy', usd: USD }
  scheduled.push(await delayMs(() => post('/market/events', whale), SEEN_USD))
  await post('/reset', {})
}
await server.stop()
const name = 'an event on a socket at 1x, worst'
row({ name, value: Math.max(...scheduled), baseline: Math.max(...unscheduled), unit: 'ms' })
