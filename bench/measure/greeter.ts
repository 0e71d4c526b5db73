/** A bare server that upgrades, answers a message with a word, and a request with another. */
const server = Bun.serve({
  port: 0,
  fetch: (request, self) =>
    self.upgrade(request, { data: undefined }) ? undefined : new Response('ok'),
  websocket: {
    message: (ws) => void ws.sendText('welcome'),
  },
})
console.log(`listening on http://localhost:${server.port}`)

export {}
