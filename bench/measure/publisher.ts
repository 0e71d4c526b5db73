/** A bare server that publishes given frames to all, as fast as they are taken. */
const frames = (await Bun.file(process.argv[2] ?? '').json()) as string[]
const open = new Set<Bun.ServerWebSocket<undefined>>()

const server = Bun.serve({
  port: 0,
  fetch: (request, self) =>
    self.upgrade(request, { data: undefined }) ? undefined : new Response('', { status: 426 }),
  websocket: {
    open(ws) {
      ws.subscribe('all')
      open.add(ws)
    },
    message() {},
    close: (ws) => void open.delete(ws),
    backpressureLimit: 64 << 20,
  },
})

let next = 0
function publish() {
  for (let i = 0; i < 50; i++) {
    for (const ws of open) if (ws.getBufferedAmount() > 1 << 20) return void setTimeout(publish, 1)
    server.publish('all', frames[next++ % frames.length] ?? '')
  }
  setImmediate(publish)
}
publish()
console.log(`listening on http://localhost:${server.port}`)

export {}
