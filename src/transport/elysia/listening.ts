/** Listening on a port, and what to do when that cannot be. */
import { UserError } from '../../user-error.ts'
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
      hostname: host,
      reusePort: false,
      development: false,
      // We bound bodies; the runtime keeps none that is not read, and would refuse without a word.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout,
      websocket: SOCKETS,
      fetch: compiledHandler(app),
    })
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const hint = REASONS[code]?.(host) ?? message
    throw new UserError(`cannot listen on ${host}:${port}: ${hint}`)
  }
  const shown = host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${app.server?.port ?? port}`
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

const ADDRESS_HINT = 'use --host 127.0.0.1, or an address of this machine'

const REASONS: Record<string, (host: string) => string> = {
  EADDRINUSE: () => 'the port is taken: use --port 0 for any free one, or end what listens there',
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine: ${ADDRESS_HINT}`,
  // What the runtime says of a name that it cannot resolve.
  EINVAL: (host) => `there is no host ${host}: ${ADDRESS_HINT}`,
  EACCES: () => 'that port is not for everybody: use one above 1023, such as --port 4010',
}
