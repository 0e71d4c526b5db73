/** Listening on a port, and what to do when that cannot be. */
import { bareHost, portFailure, portOrigin } from '../../../platform/port.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { server } from './server.ts'
import { SOCKETS } from './socket-routes.ts'

/**
 * Listens; answers with the origin, `http://host:port`. A UserError when that cannot be.
 *
 * Not by the framework's own `listen`: that compiles everything twice, opens the port a second time
 * and collects garbage three times, which a start would wait for.
 */
export function listen(
  app: ReturnType<typeof server>,
  { port, host }: { port: number; host: string },
): string {
  const { idleTimeout = 0 } = app.config.serve ?? {}
  try {
    app.server = Bun.serve({
      port,
      hostname: bareHost(host),
      reusePort: false,
      development: false,
      // We bound bodies; the runtime keeps none that is not read, and would refuse without a word.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout,
      websocket: SOCKETS,
      fetch: compiledHandler(app),
    })
  } catch (error) {
    throw new UserError(portFailure(error, { host, port }))
  }
  return portOrigin(host, app.server?.port ?? port)
}

/**
 * What answers requests. The framework keeps an error of its own among what it compiles; to tell
 * where that was made, the runtime would read the source map of the whole program.
 */
function compiledHandler(app: ReturnType<typeof server>) {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return app.compile().fetch
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
