/** msw in this process. Its `setupServer` intercepts sockets of Node, by which Bun's `fetch` does not go. */
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { WebSocketInterceptor } from '@mswjs/interceptors/WebSocket'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { type HandlerOptions, handlers } from '../../src/transport/msw/index.ts'

/** Intercepts from now on, until the answer is called; whatever is not handled is an error. */
export function intercept(
  sandbox: Parameters<typeof handlers>[0],
  options: HandlerOptions = {},
): () => void {
  const network = defineNetwork({
    sources: [
      new InterceptorSource({ interceptors: [new FetchInterceptor(), new WebSocketInterceptor()] }),
    ],
    handlers: handlers(sandbox, options),
    onUnhandledFrame: 'error',
    context: { quiet: true },
  })
  network.enable()
  return () => network.disable()
}
