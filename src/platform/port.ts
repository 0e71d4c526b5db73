/** Addresses of a listening port, and its errors. */

/** A host for sockets: an IPv6 address may be given in the brackets of a URL. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

/** The address of a port for HTTP, `http://host:port`. */
export function portOrigin(host: string, port: number): string {
  const bare = bareHost(host)
  const shown = bare.includes(':') ? `[${bare}]` : bare
  return `http://${shown}:${port}`
}

/** Why the port cannot be opened, with the remedy. */
export function portFailure(error: unknown, { host, port }: { host: string; port: number }) {
  const { code = '', message } = error as { code?: string; message: string }
  return `cannot listen on ${host}:${port}: ${REASONS[code]?.(host) ?? message}`
}

const ADDRESS_HINT = 'use --host 127.0.0.1, or an address of this machine'

const REASONS: Record<string, (host: string) => string> = {
  EADDRINUSE: () => 'the port is taken: use --port 0 for any free one, or end what listens there',
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine: ${ADDRESS_HINT}`,
  // The runtime's code for a name that it cannot resolve.
  EINVAL: (host) => `there is no host ${host}: ${ADDRESS_HINT}`,
  EACCES: () => 'that port needs more rights: use one above 1023, such as --port 4010',
}
