/** The address of a Redis server, as a user writes it. */
import { UserError } from '../../platform/user-error.ts'

/** Where a Redis server is, and what belongs to us there. */
export interface RedisAddress {
  /** With user and password: never shown. */
  url: string
  /** Without them. */
  shown: string
  isTls: boolean
  host: string
  port: number
  username: string
  password: string
  database: number
  /** Begins the names of all keys. */
  prefix: string
}

/** Whether a value of `--state` names a server, and no file. */
export const isRedisUrl = (state: string): boolean => /^\w+:\/\//.test(state)

/** `redis://HOST:PORT/DB?prefix=NAME` or `rediss://…`; a UserError says what would be right. */
export function readRedisUrl(
  given: string,
  environment: { username: string | null; password: string | null },
): RedisAddress {
  const url = URL.parse(given)
  if (!url) throw new UserError(`--state is no address: ${RIGHT_FORM}`)
  const { protocol, hostname, pathname, searchParams } = url
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new UserError(`--state knows no ${protocol.slice(0, 20)}//: ${RIGHT_FORM}`)
  if (hostname === '') throw new UserError(`--state names no host: ${RIGHT_FORM}`)
  const databaseText = pathname.replace(/^\//, '')
  if (!/^\d{0,5}$/.test(databaseText))
    throw new UserError(`the database of --state must be a number: ${RIGHT_FORM}`)
  const unknown = [...searchParams.keys()].find((name) => name !== 'prefix')
  if (unknown !== undefined)
    throw new UserError(`--state has an unknown parameter "${unknown.slice(0, 50)}": ${RIGHT_FORM}`)
  const prefix = searchParams.get('prefix') ?? 'tapewright'
  if (!/^[\w.-]{1,50}$/.test(prefix))
    throw new UserError('the prefix of --state has up to 50 letters, digits, dots and dashes')
  const isTls = protocol === 'rediss:'
  const port = Number(url.port || 6379)
  const database = Number(databaseText || 0)
  const username = decodeURIComponent(url.username) || (environment.username ?? '')
  const password = decodeURIComponent(url.password) || (environment.password ?? '')
  const place = `${hostname}:${port}/${database}`
  const secret = password === '' ? '' : `${encoded(username)}:${encoded(password)}@`
  return {
    url: `${protocol}//${secret}${place}`,
    shown: `${protocol}//${place}`,
    isTls,
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    username,
    password,
    database,
    prefix,
  }
}

const encoded = encodeURIComponent

const RIGHT_FORM =
  'use redis://HOST:PORT/DATABASE or rediss:// with TLS, such as ' +
  'redis://127.0.0.1:6379/0?prefix=team, or a file'
