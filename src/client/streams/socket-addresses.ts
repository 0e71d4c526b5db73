/** Where sockets are, signed anew for each connection, and why one is refused. */
import { PREFIXES } from '../../contract/prefixes.ts'
import { AnswerError, ServiceError } from '../errors.ts'
import type { ClockSkew } from '../requests/clock-skew.ts'
import type { RequestSender } from '../requests/request-sender.ts'
import { signedResponse } from '../requests/signed-response.ts'
import type { Signer } from '../requests/signer.ts'
import type { ClientSettings } from '../settings.ts'
import type { UpgradeRefusal } from './reconnecting-socket.ts'

interface Asking {
  base: string
  sign: Signer
  sender: RequestSender
  skew: ClockSkew
}

/** How an upgrade is asked for, and by HTTP why it is refused: a socket says 1006 for all. */
export function socketAddresses(
  { wsBaseUrl, connectMs = 10_000 }: ClientSettings,
  { base, sign, sender, skew }: Asking,
) {
  const wsBase = (wsBaseUrl ?? base.replace(/^http/, 'ws')).replace(/\/+$/, '')
  const targetOf = async (path: string, dex: string, offsetMs: number) => {
    const query = new URLSearchParams({ ...(await sign(offsetMs)) })
    if (dex !== '') query.set('dex', dex)
    return `${path}?${query}`
  }
  return {
    urlOf: async (path: string, dex: string) =>
      `${wsBase}${PREFIXES[0]}${await targetOf(path, dex, skew.offsetMs)}`,
    async refusalOf(path: string, dex: string): Promise<UpgradeRefusal | null> {
      try {
        const { read } = await skew.corrected(async (offsetMs) => {
          const target = await targetOf(path, dex, offsetMs)
          const signed = async () => ({ method: 'GET', target, headers: {} })
          const operation = { id: path, isBare: false }
          return signedResponse(
            operation,
            await sender.send(path, signed, { timeoutMs: connectMs }),
          )
        })
        return refusalOf(read)
      } catch {
        // It cannot be reached by HTTP either: that says no more than the socket does.
        return null
      }
    },
  }
}

function refusalOf(read: () => unknown): UpgradeRefusal | null {
  try {
    read()
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof AnswerError)) throw error
    const { kind, retryAfterS } = error
    if (kind === null || !OF_UPGRADES.has(kind)) return null
    const isFinal = kind === 'permission'
    return { error, retryAfterS, isFinal, isOfCaller: isFinal || kind === 'signature' }
  }
  return null
}

/** A socket's path says to a plain request, which asks for no upgrade, that it is none of these. */
const OF_UPGRADES: ReadonlySet<string> = new Set([
  'signature',
  'permission',
  'rate',
  'quota',
  'unavailable',
  'fault',
])
