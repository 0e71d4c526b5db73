/**
 * Accounts of the crowd and their addresses. An account derives from an order number, and its
 * address can be decoded: so no account is stored, and its orders are found by reading few
 * instants.
 */

/** The accounts of a group trade in the same intervals, and each interval belongs to one group. */
const GROUPS = 64
const INTERVAL_MS = 4_000
/** Concurrent accounts of each group; few of them trade most. */
const GROUP_ACCOUNTS = 312
const SKEW = 3
const ACCOUNTS = GROUPS * GROUP_ACCOUNTS
/** Lifetime of an account; another one begins when it ends, each at an instant of its own. */
const LIFE_MS = 6 * 3_600_000
/** First number of accounts that are only liquidated, beyond all others. */
const FIRST_FORCED = 2 ** 40

/** An account, by the key of its orders; instants are milliseconds of the history. */
export type CrowdAccount =
  | {
      kind: 'trading'
      number: number
      /** Place among the accounts of its group: the first ones trade most. */
      rank: number
      /** Begin of its life. */
      startMs: number
      intervals: readonly [fromMs: number, toMs: number][]
    }
  /** Number of the order that liquidated it. */
  | { kind: 'forced'; number: number; oid: number; ms: number; place: number }

/** Address of the crowd account of an order, by its number: 0x + 40 hex. */
export function crowdAddress(oid: number): string {
  return addressOf(crowdAccount(oid))
}

/** Number of the crowd account of an order: each has an address of its own. */
export function crowdAccount(oid: number): number {
  const place = placeOf(oid)
  const forced = forcedPlace(place)
  if (forced) return FIRST_FORCED + forced.ms * LIQUIDATIONS_PER_MS + forced.place
  const rank = Math.floor(GROUP_ACCOUNTS * (hashTail(oid) / 2 ** 32) ** SKEW)
  const member = groupOf(Math.floor(place.ms / INTERVAL_MS)) * GROUP_ACCOUNTS + rank
  return Math.floor((place.ms + phaseOf(member)) / LIFE_MS) * ACCOUNTS + member
}

/** The account of an address, in any spelling; null unless it is a crowd address. */
export function crowdAccountAt(address: string): CrowdAccount | null {
  const number = numberAt(address)
  if (number === null) return null
  return number < FIRST_FORCED ? tradingAccount(number) : forcedAccount(number)
}

/** The same for liquidated accounts only, faster. */
export function liquidatedAt(address: string): (CrowdAccount & { kind: 'forced' }) | null {
  const number = numberAt(address)
  return number === null || number < FIRST_FORCED ? null : forcedAccount(number)
}

/** Whether an address is a crowd account's, whether or not it has ever traded. */
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

/** Interval of an order. */
export const intervalOf = (oid: number): number => intervalAt(placeOf(oid).ms)

/** Interval of an instant. */
export const intervalAt = (ms: number): number => Math.floor(ms / INTERVAL_MS)

function tradingAccount(number: number): CrowdAccount {
  const member = number % ACCOUNTS
  const group = Math.floor(member / GROUP_ACCOUNTS)
  const startMs = Math.floor(number / ACCOUNTS) * LIFE_MS - phaseOf(member)
  const intervals: [number, number][] = []
  const last = Math.floor((startMs + LIFE_MS - 1) / INTERVAL_MS)
  for (let at = Math.max(0, Math.floor(startMs / INTERVAL_MS)); at <= last; at++)
    if (groupOf(at) === group) intervals.push([at * INTERVAL_MS, (at + 1) * INTERVAL_MS])
  return { kind: 'trading', number, rank: member % GROUP_ACCOUNTS, startMs, intervals }
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

/** Two words that encode the number, and three for verification. */
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

/**
 * Encoding of order numbers. A millisecond has a fixed number of them, some reserved for liquidated
 * crowd accounts: the liquidation's order, the opening one, and the closing one of the rest. So a
 * number contains its time and owner.
 */
interface OrderPlace {
  /** Since the history began. */
  ms: number
  /** Index among the millisecond's numbers. */
  place: number
}

const FIRST_OID = 100_000_000_000
const OIDS_PER_MS = 128
/** Maximum number of crowd liquidations in one millisecond. */
export const LIQUIDATIONS_PER_MS = 8

/** From this index on, numbers belong to liquidated accounts, in three groups. */
export const ORDERS_PER_MS = OIDS_PER_MS - 3 * LIQUIDATIONS_PER_MS
export type ForcedOrder = 'opening' | 'rest' | 'liquidation'
const HASH_GROUPS: readonly ForcedOrder[] = ['opening', 'rest', 'liquidation']

export const isOrderNumber = (oid: number): boolean => Number.isSafeInteger(oid) && oid >= FIRST_OID

export function oidAt({ ms, place }: OrderPlace): number {
  return FIRST_OID + ms * OIDS_PER_MS + place
}

export function placeOf(oid: number): OrderPlace {
  const count = oid - FIRST_OID
  const ms = Math.floor(count / OIDS_PER_MS)
  return { ms, place: count - ms * OIDS_PER_MS }
}

/** Number of a liquidated account's order: its index in its group is the liquidation's. */
export function forcedOid(order: ForcedOrder, ms: number, place: number): number {
  const first = ORDERS_PER_MS + HASH_GROUPS.indexOf(order) * LIQUIDATIONS_PER_MS
  return oidAt({ ms, place: first + place })
}

/** Place of the liquidation of an order's account; null for other orders. */
function forcedPlace({ ms, place }: OrderPlace): OrderPlace | null {
  if (place < ORDERS_PER_MS) return null
  return { ms, place: (place - ORDERS_PER_MS) % LIQUIDATIONS_PER_MS }
}

// Hashes of transactions that no tape names: each derives from an order number.

/**
 * Hash of the transaction that placed an order, or cancelled it: 0x + 64 hex. The trades of a taker
 * order share the hash of its placement.
 */
export function transactionHash(oid: number, cancelled = false): string {
  const seed = cancelled ? ~seedOf(oid) : seedOf(oid)
  for (let word = 0; word < HASH_WORDS; word++) putWord(word, wordOf(seed, word))
  return hexText(HASH_WORDS)
}

/** A hash from a query: its text, or that of the order number it derives from. */
export const hashText = (hash: string | number): string =>
  typeof hash === 'string' ? hash : transactionHash(hash)

/** Last 32 bits of the hash of the transaction that placed an order. */
const hashTail = (oid: number): number => wordOf(seedOf(oid), HASH_WORDS - 1)

const HASH_WORDS = 8

const seedOf = (oid: number) =>
  Math.imul(oid | 0, 0x9e3779b1) ^ Math.imul((oid / 2 ** 32) | 0, 0x85ebca6b)

function wordOf(seed: number, word: number): number {
  const state = (seed + Math.imul(word + 1, 0x9e3779b9)) | 0
  return mixedWord(state ^ Math.imul(word + 1, 0xc2b2ae35))
}

// 32-bit words, mixed and written as hex.

/** The finaliser of splitmix, a bijection. */
export function mixedWord(state: number): number {
  let bits = Math.imul(state ^ (state >>> 16), MIX[0])
  bits = Math.imul(bits ^ (bits >>> 15), MIX[1])
  return (bits ^ (bits >>> 15)) >>> 0
}

/** Inverse of `mixedWord`. */
function unmixedWord(mixed: number): number {
  let bits = Math.imul(mixed ^ (mixed >>> 15) ^ (mixed >>> 30), inverse(MIX[1]))
  bits = Math.imul(bits ^ (bits >>> 15) ^ (bits >>> 30), inverse(MIX[0]))
  return (bits ^ (bits >>> 16)) >>> 0
}

const MIX = [0x21f0aaad, 0x735a2d97] as const

/**
 * Multiplicative inverse of `odd` modulo 2^32: by Newton's method, each round of which doubles the
 * bits.
 */
function inverse(odd: number): number {
  let found = odd
  for (let round = 0; round < 5; round++) found = Math.imul(found, 2 - Math.imul(odd, found))
  return found
}

/** Puts a word at an index for `hexText`: texts are made by the hundred thousand. */
function putWord(at: number, bits: number): void {
  madeQuads ??= hexQuads()
  HEX_BUFFER[2 * at + 1] = madeQuads[bits >>> 16] ?? 0
  HEX_BUFFER[2 * at + 2] = madeQuads[bits & 65_535] ?? 0
}

/** `0x` and the digits of the words put so far, from the first one on. */
const hexText = (words: number): string => HEX_TEXT.toString('latin1', 2, 4 + 8 * words)

/** Created with the first text, to keep the program's start fast. */
let madeQuads: Uint32Array | null = null

/** Four digits for each 16 bits, as text codes. */
function hexQuads(): Uint32Array {
  const pairs = Uint32Array.from({ length: 256 }, (_, byte) => hexPair(byte))
  const quads = new Uint32Array(65_536)
  // A table look-up per byte: this runs before it is compiled.
  for (let bits = 0; bits < 65_536; bits++)
    quads[bits] = (pairs[bits >>> 8] as number) | ((pairs[bits & 255] as number) << 16)
  return quads
}

/** Character codes of a byte's two digits, the first one in the lower byte. */
function hexPair(byte: number): number {
  const high = byte >>> 4
  const low = byte & 15
  return (high < 10 ? 48 + high : 87 + high) | ((low < 10 ? 48 + low : 87 + low) << 8)
}

/** Buffer of a text: two unused bytes, `0x`, and 64 digits. */
const HEX_BUFFER = new Uint32Array(17)
const HEX_TEXT = Buffer.from(HEX_BUFFER.buffer)
HEX_TEXT.write('  0x', 'latin1')
