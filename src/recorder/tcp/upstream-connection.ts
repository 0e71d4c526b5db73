import type { UpstreamAddress } from '../upstream-address.ts'
import { Wire } from './wire.ts'

/** What is told of a connection to the service. */
export interface UpstreamEvents {
  data(bytes: Buffer): void
  /** It was closed by the service; `why` where something went wrong. */
  closed(why: string | null): void
}

/** Connects to the service; rejects with what the system says. Certificates are checked. */
export async function connectUpstream(
  { hostname, port, isTls }: UpstreamAddress,
  events: UpstreamEvents,
): Promise<Wire> {
  const secured = Promise.withResolvers<void>()
  if (!isTls) secured.resolve()
  let why: string | null = null
  let isSecured = !isTls
  const socket = await Bun.connect<Wire>({
    hostname,
    port,
    ...(isTls ? { tls: { serverName: hostname, rejectUnauthorized: true } } : {}),
    socket: {
      data: (_, bytes) => events.data(bytes),
      drain: ({ data }) => data.drain(),
      handshake(_, isSecure, error) {
        isSecured = isSecure && !error
        if (isSecured) secured.resolve()
        else secured.reject(error ?? new Error('no TLS connection came about'))
      },
      error(_, error) {
        why = error.message
      },
      close({ data }) {
        data?.closed()
        if (isSecured) return events.closed(why)
        secured.reject(new Error(why ?? 'it closed the connection before it was secure'))
      },
    },
  })
  const wire = new Wire(socket)
  socket.data = wire
  socket.setNoDelay(true)
  await secured.promise.catch((error) => {
    wire.cut()
    throw error
  })
  return wire
}
