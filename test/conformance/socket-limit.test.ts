import { expect, test } from 'bun:test'
import { conform } from '../../src/conformance/conform.ts'
import { isSocket, type TargetTransport } from '../../src/conformance/target-transport.ts'
import { hurriedClock } from '../fixtures/hurried-clock.ts'
import { memoryTarget } from '../fixtures/memory-probe.ts'

const { target, transport } = await memoryTarget()

test('who may open few sockets waits for others to be closed', async () => {
  let [open, most] = [0, 0]
  const few: TargetTransport = {
    ...transport,
    connect: async (path) => {
      if (open >= 4) return { status: 403, contentType: '', text: '{"msg":"请求过于频繁"}' }
      const socket = await transport.connect(path)
      if (!isSocket(socket)) return socket
      most = Math.max(most, ++open)
      const close = () => {
        open--
        socket.close()
      }
      return Object.assign(Object.create(socket), { close })
    },
  }
  const only = ['sockets.frames.ping', 'sockets.users.ack', 'sockets.snapshots.book']
  const { full } = target.keys
  const report = await conform({
    baseUrl: 'http://there',
    keys: { full },
    patienceMs: 0,
    only,
    transport: few,
    systemClock: hurriedClock(),
  })
  expect([report.counts.failed, report.ended, most]).toEqual([0, null, 4])
  expect(report.results.filter(({ message }) => message.includes('no more for now'))).toEqual([])
})
