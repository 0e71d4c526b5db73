/** A fast market, seen with latency, causes no false failures. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { isSocket } from '../../src/conformance/target-transport.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'

/** Changes every size of a book in each response. */
const resized = (text: string, size: number) => text.replace(/"sz":"[^"]+"/g, `"sz":"${size}"`)

/** Pushed prices are of a moment between two responses. */
const repriced = (text: string) => text.replace(/"px":"\d/g, '"px":"1')

/** Failures of a service whose sockets and responses have different prices. */
async function judged(answered: (text: string, count: number) => string) {
  const { target, transport } = await memoryTarget()
  let answers = 0
  const returning: typeof transport = {
    request: async (sent) => {
      const received = await transport.request(sent)
      const isBook = sent.path.startsWith('/api/upgrade/v2/hl/info')
      return isBook ? { ...received, text: answered(received.text, ++answers) } : received
    },
    connect: async (path) => {
      const opened = await transport.connect(path)
      if (!isSocket(opened)) return opened
      return Object.assign(Object.create(opened), {
        send: (data: string) => {
          opened.send(data)
          opened.frames.splice(0, opened.frames.length, ...opened.frames.map(repriced))
        },
      })
    },
  }
  const only = HAND_WRITTEN_CASES.filter(({ id }) => id === 'perpdex.market.books')
  const settings = { target, transport: returning, systemClock: futureSigning, retries: 3 }
  const [result] = await runCases(only, { ...settings, nonce: 'returning' })
  expect(answers).toBeGreaterThan(2)
  return [result?.verdict, result?.message]
}

test('a book with the same best prices and other sizes has moved', async () => {
  expect(await judged(resized)).toEqual(['skipped', 'the market moved between any two reads'])
})

test('an unchanging book that is pushed with other prices fails', async () => {
  expect(await judged((text) => text)).toEqual([
    'failed',
    'socket and POST /info have the same best prices',
  ])
})

/** Failures of a service that pushes each candle twice on its first connections. */
async function pushingTwice(connections: number) {
  const { target, transport } = await memoryTarget()
  const { control: _, ...unheld } = target
  let opened = 0
  const repeating: typeof transport = {
    ...transport,
    connect: async (path) => {
      const socket = await transport.connect(path)
      if (!isSocket(socket) || ++opened > connections) return socket
      return Object.assign(Object.create(socket), {
        send: (data: string) => {
          socket.send(data)
          const twice = socket.frames.flatMap((frame) =>
            String(frame).includes('"channel":"candle"') ? [frame, frame] : [frame],
          )
          socket.frames.splice(0, socket.frames.length, ...twice)
        },
      })
    },
  }
  const only = DERIVED_CASES.filter(({ id }) => id === 'channel.candle.snapshot')
  const settings = { target: unheld, transport: repeating, systemClock: futureSigning, retries: 6 }
  const [result] = await runCases(only, { ...settings, nonce: `twice ${connections}` })
  return [result?.verdict, result?.message]
}

test('a snapshot repeated on some connections comes once', async () => {
  expect(await pushingTwice(6)).toEqual(['passed', ''])
})

test('a snapshot repeated on each connection is wrong', async () => {
  expect(await pushingTwice(Number.POSITIVE_INFINITY)).toEqual([
    'failed',
    'the snapshot of candle is pushed once',
  ])
})

/** Failures of insights of which some responses are of another moment than the ticker. */
async function insightsBeside(otherAnswers: number) {
  const { target, transport } = await memoryTarget()
  let answers = 0
  const moving: typeof transport = {
    ...transport,
    request: async (sent) => {
      const received = await transport.request(sent)
      if (!sent.path.includes('/content/ai-coins') || ++answers > otherAnswers) return received
      return { ...received, text: received.text.replace(/"degree":"-?/g, '"degree":"9') }
    },
  }
  const only = HAND_WRITTEN_CASES.filter(({ id }) => id === 'meaning.insights')
  const settings = { target, transport: moving, systemClock: futureSigning, retries: 3 }
  const [result] = await runCases(only, { ...settings, nonce: `insights ${otherAnswers}` })
  return result?.verdict
}

test('an insight that has moved since its ticker is read again', async () => {
  expect(await insightsBeside(1)).toBe('passed')
})

test('an insight that never agrees with its ticker is wrong', async () => {
  expect(await insightsBeside(Number.POSITIVE_INFINITY)).toBe('failed')
})
