/** The intercepted addresses: every prefix and every path of the contract's lists. */

import { VENUE_DIALECT } from '../../../contract/dialect.ts'
import { PREFIXES } from '../../../contract/prefixes.ts'
import { VENUE_OPERATIONS } from '../../../contract/venue.ts'
import { UserError } from '../../../platform/user-error.ts'

/** The addresses of the contract under one base URL. */
export interface InterceptedUrls {
  /** Matches an address without its query, for msw. */
  readonly http: RegExp
  readonly ws: RegExp
  /** The path of an address from the prefix on, and its query. */
  pathOf(url: string | URL): string
}

/**
 * The addresses under a base URL of the service, `https://api.example.com` or
 * `wss://api.example.com/base`; a UserError when it is none.
 */
export function interceptedUrls(origin: string): InterceptedUrls {
  const base = httpBaseOf(origin)
  const start = base.slice(base.indexOf('//') + 2)
  const under = (prefix: string) => new RegExp(`^${literal(prefix)}(?:${PATHS})$`)
  return {
    http: under(base),
    ws: under(base.replace('http', 'ws')),
    pathOf(url) {
      const { host, pathname, search } = new URL(url)
      return `${`${host}${pathname}`.slice(start.length)}${search}`
    },
  }
}

/** One spelling for each base URL: that of HTTP, without a slash at its end. */
export function httpBaseOf(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null
  const scheme = HTTP_SCHEMES[url?.protocol ?? '']
  if (!url || scheme === undefined)
    throw new UserError(
      `origin is a base URL of the service, such as https://api.example.com, not "${origin}"`,
    )
  return `${scheme}//${url.host}${url.pathname.replace(/\/+$/, '')}`
}

/** Every address at an origin, `http://127.0.0.1:4010`. */
export const everythingAt = (origin: string): RegExp => new RegExp(`^${literal(origin)}(?:/.*)?$`)

const HTTP_SCHEMES: Record<string, string> = {
  'http:': 'http:',
  'ws:': 'http:',
  'https:': 'https:',
  'wss:': 'https:',
}

/** `RegExp.escape`, which older versions of Node do not have. */
const literal = (text: string) => text.replace(/[^\w/]/g, '\\$&')

/** The venue's paths are at the root of the base URL, outside the contract's prefixes. */
const ROOT_PATHS = new Set([VENUE_DIALECT.path, ...VENUE_OPERATIONS.map(({ path }) => path)])

const PATHS = [
  ...PREFIXES.map((prefix) => `${literal(prefix)}(?:/.*)?`),
  ...[...ROOT_PATHS].map((path) => `${literal(path)}/?`),
].join('|')
