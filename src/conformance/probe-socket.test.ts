import { expect, test } from 'bun:test'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { isPong, ProbeSocket } from './probe-socket.ts'

/** A closed socket without further frames; seconds pass on request. */
function closedSocket(frames: string[] = []) {
  const time = { nowS: 100 }
  const socket = {
    frames,
    closeCode: 1006,
    send() {},
    close() {},
    waitForActivity: async () => {},
  }
  const judge = {
    assert(condition: unknown, message: string): asserts condition {
      if (!condition) throw new CheckFailure(message)
    },
    skip(why: string): never {
      throw new SkipCase(why)
    },
    judges() {},
  }
  const log = { frame() {}, ended() {} }
  const listener = { onFrame() {}, onFlood() {} }
  const nowS = () => time.nowS
  return { time, probed: new ProbeSocket({ socket, log }, judge, listener, 0, nowS) }
}

const answered = (socket: ProbeSocket) =>
  socket.waitFor(() => true, 'a ping is answered').catch((error) => error)

test('a client that was silent for a minute cannot judge why a connection was closed', async () => {
  const { time, probed } = closedSocket()
  time.nowS += 60
  probed.send('a ping')
  expect(await answered(probed)).toBeInstanceOf(SkipCase)
})

test('a connection that is closed between two messages fails the case', async () => {
  const { time, probed } = closedSocket()
  time.nowS += 20
  probed.send('a ping')
  expect(await answered(probed)).toBeInstanceOf(CheckFailure)
})

test('a frame within its time is found, however many come before it', async () => {
  const { probed } = closedSocket([...Array<string>(12_000).fill('{}'), '{"channel":"pong"}'])
  expect(await probed.waitFor(isPong, 'a ping is answered', 1_000)).toEqual({ channel: 'pong' })
})
