/**
 * Accounts of the crowd and their addresses. An account follows from the number of an order, and
 * its address can be read backwards: so nothing is kept of an account, and whoever asks for one
 * finds its orders by looking at few instants.
 */
import { hexText, mixedWord, putWord, unmixedWord } from './hex-words.ts'
import { forcedOid, forcedPlace, LIQUIDATIONS_PER_MS, placeOf } from './order-numbers.ts'
import { hashTail } from './transaction-hash.ts'

/** The accounts of a group trade in the same intervals, and each interval is one group's. */
const GROUPS = 64
const INTERVAL_MS = 4_000
/** So many accounts there are at a time in each group; few of them trade most. */
const GROUP_ACCOUNTS = 312
const SKEW = 3
const ACCOUNTS = GROUPS * GROUP_ACCOUNTS
/** For so long an account trades; another one begins as it ends, each at an instant of its own. */
const LIFE_MS = 6 * 3_600_000
/** Accounts that do nothing but be liquidated have numbers beyond those of all others. */
const FIRST_FORCED = 2 ** 40

/** An account, by what its orders are found by; instants are milliseconds of the history. */
export type CrowdAccount =
  | { kind: 'trading'; number: number; intervals: readonly [fromMs: number, toMs: number][] }
  /** The number of the order that liquidated it. */
  | { kind: 'forced'; number: number; oid: number; ms: number; place: number }

/** The address of the crowd's account that placed an order, by the order's number: 0x + 40 hex. */
export function crowdAddress(oid: number): string {
  return addressOf(crowdAccount(oid))
}

/** Which account of the crowd placed an order: each has an address of its own. */
export function crowdAccount(oid: number): number {
  const place = placeOf(oid)
  const forced = forcedPlace(place)
  if (forced) return FIRST_FORCED + forced.ms * LIQUIDATIONS_PER_MS + forced.place
  const rank = Math.floor(GROUP_ACCOUNTS * (hashTail(oid) / 2 ** 32) ** SKEW)
  const member = groupOf(Math.floor(place.ms / INTERVAL_MS)) * GROUP_ACCOUNTS + rank
  return Math.floor((place.ms + phaseOf(member)) / LIFE_MS) * ACCOUNTS + member
}

/** The account of an address, in any spelling; null for an address that is none of the crowd's. */
export function crowdAccountAt(address: string): CrowdAccount | null {
  const number = numberAt(address)
  if (number === null) return null
  return number < FIRST_FORCED ? tradingAccount(number) : forcedAccount(number)
}

/** The same where it is one that was liquidated, for less. */
export function liquidatedAt(address: string): (CrowdAccount & { kind: 'forced' }) | null {
  const number = numberAt(address)
  return number === null || number < FIRST_FORCED ? null : forcedAccount(number)
}

/** Whether an address is that of an account of the crowd, whether or not it has ever traded. */
export const isOfCrowd = (address: string): boolean => numberAt(address) !== null

function numberAt(address: string): number | null {
  if (address.length !== ADDRESS_LENGTH) return null
  const [first, second] = [address.slice(2, 10), address.slice(10, 18)].map((word) =>
    Number(`0x${word}`),
  ) as [number, number]
  const low = (unmixedWord(first) ^ SALT) >>> 0
  const number = ((unmixedWord(second) ^ first) >>> 0) * 2 ** 32 + low
  const isOwn = Number.isSafeInteger(number) && addressOf(number) === address.toLowerCase()
  return isOwn ? number : null
}

/** Where an order lies in the time of the accounts: which interval it is in. */
export const intervalOf = (oid: number): number => intervalAt(placeOf(oid).ms)

/** The same of an instant. */
export const intervalAt = (ms: number): number => Math.floor(ms / INTERVAL_MS)

function tradingAccount(number: number): CrowdAccount {
  const member = number % ACCOUNTS
  const group = Math.floor(member / GROUP_ACCOUNTS)
  const startMs = Math.floor(number / ACCOUNTS) * LIFE_MS - phaseOf(member)
  const intervals: [number, number][] = []
  const last = Math.floor((startMs + LIFE_MS - 1) / INTERVAL_MS)
  for (let at = Math.max(0, Math.floor(startMs / INTERVAL_MS)); at <= last; at++)
    if (groupOf(at) === group) intervals.push([at * INTERVAL_MS, (at + 1) * INTERVAL_MS])
  return { kind: 'trading', number, intervals }
}

function forcedAccount(number: number): CrowdAccount & { kind: 'forced' } {
  const count = number - FIRST_FORCED
  const ms = Math.floor(count / LIQUIDATIONS_PER_MS)
  const place = count % LIQUIDATIONS_PER_MS
  return { kind: 'forced', number, oid: forcedOid('liquidation', ms, place), ms, place }
}

const groupOf = (interval: number) => mixedWord(interval ^ SALT) % GROUPS

const phaseOf = (member: number) => mixedWord(member) % LIFE_MS

const ADDRESS_LENGTH = 42
const SALT = 0x5bd1e995

/** Two words from which the number can be read again, and three that show that it was written. */
function addressOf(number: number): string {
  const first = mixedWord((number >>> 0) ^ SALT)
  const second = mixedWord(Math.floor(number / 2 ** 32) ^ first)
  putWord(0, first)
  putWord(1, second)
  for (let at = 2; at < WORDS; at++)
    putWord(at, mixedWord(Math.imul(at, 0x9e3779b9) + first + Math.imul(second, 0x85ebca6b)))
  return hexText(WORDS)
}

const WORDS = 5
