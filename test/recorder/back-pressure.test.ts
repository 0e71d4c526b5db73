import { afterAll, expect, test } from 'bun:test'
import { openConnection } from '../fixtures/raw-connection.ts'
import { startedRecorder } from '../fixtures/started-recorder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const stops: (() => unknown)[] = []
afterAll(() => {
  for (const stop of stops) stop()
})

const GET = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'

test('a client that does not read slows the service down', async () => {
  const piece = Buffer.alloc(1 << 20)
  let sent = 0
  const send = (socket: { write(bytes: Buffer): number }) => {
    for (;;) {
      const taken = socket.write(piece)
      sent += Math.max(0, taken)
      if (taken < piece.length) return
    }
  }
  const stalled = Promise.withResolvers<void>()
  const service = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        send(socket)
        stalled.resolve()
      },
      drain: send,
    },
  })
  stops.push(() => service.stop(true))
  const upstream = `http://127.0.0.1:${service.port}`
  const recorder = await startedRecorder({ path: at('slow'), upstream })
  const client = await openConnection(recorder.origin)
  client.pause()
  client.send(GET)
  await stalled.promise
  // No real time passes here: bytes are awaited while they move.
  for (let [before, turns] = [-1, 0]; before !== sent || turns < 50; turns++) {
    before = sent
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sent).toBeLessThan(64 << 20)
  client.reset()
  expect(await recorder.of('exchange')).toMatchObject([{ error: expect.any(String) }])
})
