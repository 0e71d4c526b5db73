import { UserError } from '../../platform/user-error.ts'

/** Where the service is. */
export interface UpstreamAddress {
  hostname: string
  port: number
  isTls: boolean
  /** As a Host header names it. */
  host: string
  /** What stands before each path. */
  prefix: string
  /** As it was given. */
  shown: string
}

/** Reads the URL of a service; a UserError says what it must be. */
export function upstreamAddress(given: string): UpstreamAddress {
  const url = /^(https?|wss?):\/\//.test(given) && URL.canParse(given) ? new URL(given) : null
  if (url === null)
    throw new UserError(`--upstream must be a URL such as https://example.com, not "${given}"`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UserError('--upstream takes no user, query or fragment: keys go with the requests')
  const isTls = url.protocol === 'https:' || url.protocol === 'wss:'
  return {
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    isTls,
    host: url.host,
    prefix: url.pathname.replace(/\/$/, ''),
    shown: given,
  }
}
