/** Listening on a port, and what to do when that cannot be. */
import { UserError } from '../../user-error.ts'
import type { server } from './server.ts'

/** Listens; answers with the origin, `http://host:port`. A UserError when that cannot be. */
export function listen(
  app: ReturnType<typeof server>,
  { port, host }: { port: number; host: string },
): string {
  try {
    app.listen({ port, hostname: host, reusePort: false })
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const hint = REASONS[code]?.(host) ?? message
    throw new UserError(`cannot listen on ${host}:${port}: ${hint}`)
  }
  const shown = host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${app.server?.port ?? port}`
}

const ADDRESS_HINT = 'use --host 127.0.0.1, or an address of this machine'

const REASONS: Record<string, (host: string) => string> = {
  EADDRINUSE: () => 'the port is taken: use --port 0 for any free one, or end what listens there',
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine: ${ADDRESS_HINT}`,
  // What the runtime says of a name that it cannot resolve.
  EINVAL: (host) => `there is no host ${host}: ${ADDRESS_HINT}`,
  EACCES: () => 'that port is not for everybody: use one above 1023, such as --port 4010',
}
