/** Sockets: msw intercepts them, the backend speaks. */
import { type WebSocketHandler, ws } from 'msw'
import type { Backend, BackendSocket } from './backend.ts'
import { ClientEnd, type InterceptedClient } from './client-end.ts'
import type { InterceptedUrls } from './intercepted-urls.ts'

/** Connects every socket under a base URL of the service, known path or not. */
export function socketHandler(urls: InterceptedUrls, backend: Backend): WebSocketHandler {
  const opened = new WeakMap<InterceptedClient, { end: ClientEnd; socket: BackendSocket | null }>()
  const handler = ws.link(urls.ws).addEventListener('connection', ({ client }) => {
    const { end, socket } = opened.get(client as InterceptedClient) ?? {}
    if (socket) end?.connectTo(socket)
    else end?.refuse()
  })
  // msw opens the client's socket as soon as its handlers have run, and awaits only this function:
  // the client is not to be open before it is known whether it is refused.
  const run = handler.run.bind(handler)
  handler.run = async (connection, context) => {
    const matched = await run(connection, context)
    if (!matched) return null
    const client = matched.client as InterceptedClient
    const end = new ClientEnd(client)
    const socket = await backend.connect(urls.pathOf(client.url), end)
    opened.set(client, { end, socket })
    return matched
  }
  return handler
}
