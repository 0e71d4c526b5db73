/** msw in this process, by the parts of it that work on Bun: its `setupServer` intercepts Node. */
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { WebSocketInterceptor } from '@mswjs/interceptors/WebSocket'
import type { AnyHandler } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'

/** Intercepts until the result is called; an unhandled request is an error. */
export function intercept(handlers: AnyHandler[]): () => void {
  const network = defineNetwork({
    sources: [
      new InterceptorSource({
        // Their types exclude the browser version, which works too.
        interceptors: [new FetchInterceptor() as never, new WebSocketInterceptor()],
      }),
    ],
    handlers,
    onUnhandledFrame: 'error',
    context: { quiet: true },
  })
  network.enable()
  return () => network.disable()
}
