/**
 * Judges claims of clients by the world's truth at that instant. What was on its way may not be
 * known yet, and what the sandbox itself has falsified is not held against the client.
 */

import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { L2Book } from '../../contract/records/book.ts'
import { lapId } from '../../contract/shown-value.ts'
import { readSpan, spanMs } from '../../contract/span.ts'
import type { Sandbox } from '../sandbox.ts'
import { connectionFigures } from '../session/socket-journal.ts'
import { hubOf } from '../session/subscription-hub.ts'
import type { Claim, ClaimKind, ClaimOf } from './claim-forms.ts'

/** What came of a claim. */
export interface Verdict {
  /** `open`: nothing can be held against the client. */
  verdict: 'true' | 'wrong' | 'open'
  why: string
  /** What is true, in the form of the claim; null where there is nothing like it. */
  truth: unknown
  /** Since when the claim is wrong, shown time in ms; null where it is not, or not known. */
  sinceMs: number | null
}

/** A judged claim. */
export interface JudgedClaim extends Verdict {
  claim: number
  kind: ClaimKind
  sessionMs: number
}

/** The claims of a run of a sandbox. */
export class Claims {
  private kept: JudgedClaim[] = []
  private count = 0
  readonly counts = { true: 0, wrong: 0, open: 0 }

  /** Oldest first: the newest of each verdict. */
  get entries(): readonly JudgedClaim[] {
    return this.kept
  }

  add(kind: ClaimKind, sessionMs: number, verdict: Verdict): JudgedClaim {
    const judged = { claim: ++this.count, kind, sessionMs, ...verdict }
    this.counts[verdict.verdict]++
    this.kept.push(judged)
    // Wrong claims stay longest: they are what is looked up.
    if (this.kept.length > KEPT_MAX) {
      const other = this.kept.findIndex((one) => one.verdict !== 'wrong')
      this.kept.splice(Math.max(0, other), 1)
    }
    return judged
  }
}

const KEPT_MAX = 200

const byRun = new WeakMap<object, Claims>()

/** The claims of a sandbox since it was made or reset. */
export function claimsOf({ clock }: Sandbox): Claims {
  const known = byRun.get(clock)
  if (known) return known
  const made = new Claims()
  byRun.set(clock, made)
  return made
}

/** Session time in which a push or a close may be on its way. */
export const ON_ITS_WAY_MS = 5_000

/** Judges a claim as of now. */
export function* judgeClaim(sandbox: Sandbox, claim: Claim): Slices<JudgedClaim> {
  const sessionMs = Math.floor(sandbox.clock.nowMs())
  const judging = new ClaimJudging(sandbox)
  const verdict = yield* judging.judge(claim)
  if (verdict.verdict === 'true') sandbox.coverage.claimed(claim.kind)
  return claimsOf(sandbox).add(claim.kind, sessionMs, verdict)
}

const right = (truth: unknown): Verdict => ({
  verdict: 'true',
  why: 'it is so',
  truth,
  sinceMs: null,
})
const open = (why: string, truth: unknown): Verdict => ({
  verdict: 'open',
  why,
  truth,
  sinceMs: null,
})
const wrong = (why: string, truth: unknown, sinceMs: number | null): Verdict => ({
  verdict: 'wrong',
  why,
  truth,
  sinceMs,
})

class ClaimJudging {
  private readonly here: ReturnType<Sandbox['position']>
  private readonly nowMs: number
  /** Market time that passes while something is on its way. */
  private readonly wayMs: number

  constructor(private readonly sandbox: Sandbox) {
    this.here = sandbox.position()
    this.nowMs = sandbox.clock.nowMs()
    const { speed } = sandbox.playhead
    this.wayMs = ON_ITS_WAY_MS * (typeof speed === 'number' ? Math.max(1, speed) : 100)
  }

  *judge(claim: Claim): Slices<Verdict> {
    if (this.hasMoved(claim.kind)) return open('the market was set elsewhere a moment ago', null)
    switch (claim.kind) {
      case 'book':
        return yield* this.book(claim)
      case 'position':
        return yield* this.position(claim)
      case 'fills':
        return yield* this.fills(claim)
      case 'stale':
        return yield* this.stale(claim)
      case 'subscribed':
        return this.subscribed(claim)
      case 'candle':
        return this.candle(claim)
    }
  }

  /** Facts as of an instant of the tape. */
  private at(atMs: number) {
    return this.sandbox.facts({ ...this.here, atMs: tapeMs(atMs) as TapeMs })
  }

  private shown(atMs: number): number {
    return atMs + this.here.shiftMs
  }

  /** A seek changes what is shown: until its snapshots are there, a client has what was before. */
  private hasMoved(kind: ClaimKind): boolean {
    if (kind === 'subscribed') return false
    for (const entry of this.recent())
      if (entry.kind === 'playhead' && (entry.event === 'seek' || entry.event === 'lap'))
        return true
    return false
  }

  /** Entries of the last moments, newest first. */
  private *recent(sinceMs = this.nowMs - ON_ITS_WAY_MS) {
    const { journal } = this.sandbox
    for (const entry of journal.before(journal.newest + 1)) {
      if (entry.sessionMs < sinceMs) return
      yield entry
    }
  }

  /** Whether a rule holds pushes of a channel back, or changes them. */
  private isDisturbed(channel: string, coin: string | null): boolean {
    const { faultInjection } = this.sandbox
    const subject = {
      operations: [],
      channels: [channel],
      key: null,
      coins: coin === null ? [] : [coin],
      addresses: [],
    }
    const can = ({ onPush, onData }: { onPush?: unknown; onData?: unknown }) =>
      (onPush ?? onData) !== undefined
    return faultInjection.holdingRules(can, subject).length > 0
  }

  /** The instant of a claim, tape time: a claim may be on its way while a clock jumps. */
  private claimedAt(asOf: number | undefined): number {
    const { atMs, shiftMs } = this.here
    return asOf === undefined ? atMs : Math.min(atMs, asOf - shiftMs)
  }

  private *book({ coin, time, asOf, bids, asks }: ClaimOf<'book'>): Slices<Verdict> {
    const { here } = this
    const atMs = this.claimedAt(asOf)
    const now = this.at(Math.max(atMs, Math.min(here.atMs, time - here.shiftMs))).books.l2({ coin })
    if (now === null) return wrong(`there is no coin "${coin}"`, null, null)
    const truth = this.bookTruth(now)
    if (time > truth.time)
      return wrong(`its time is ${time}, and now is ${truth.time}`, truth, null)
    const then = this.at(time - here.shiftMs).books.l2({ coin })
    if (then === null || this.shown(then.time) !== time) {
      if (this.isDisturbed('l2Book', coin) || (yield* this.wasSent(coin, time, null)))
        return open('the sandbox itself has sent a book of that time', truth)
      return wrong(`there was no book of ${coin} at ${time}`, truth, null)
    }
    if (!hasLevels(then.levels[0], bids) || !hasLevels(then.levels[1], asks)) {
      if (yield* this.wasSent(coin, time, then))
        return open('the sandbox itself has sent another book of that time', this.bookTruth(then))
      return wrong(`it is not the book of ${coin} at its time`, this.bookTruth(then), time)
    }
    if (then.time === now.time) return right(truth)
    const ageMs = this.shown(atMs) - time
    const staleMs = spanMs(this.sandbox.answers['stale-after'])
    if (ageMs <= staleMs + this.wayMs) return right(truth)
    return wrong(
      `it is ${ageMs} ms old and has changed since: a book expires after ${staleMs} ms`,
      truth,
      time + staleMs,
    )
  }

  private bookTruth({ coin, time, levels: [bids, asks] }: L2Book) {
    return { kind: 'book', coin, time: this.shown(time), bids, asks }
  }

  /** Whether a frame of that book was sent whose levels are not the true ones. */
  private *wasSent(coin: string, time: number, true_: L2Book | null): Slices<boolean> {
    const levels = true_ === null ? null : JSON.stringify(true_.levels).slice(0, COMPARED_LENGTH)
    let count = 0
    for (const entry of this.recent(this.nowMs - SEARCHED_MS)) {
      if (++count > SEARCHED_MAX) return false
      if (count % 200 === 0) yield
      if (entry.kind !== 'frame' || entry.direction !== 'out') continue
      if (!entry.text.includes(`"time":${time}`) || !entry.text.includes(`"${coin}"`)) continue
      if (levels === null || !entry.text.includes(levels)) return true
    }
    return false
  }

  private *position({ address, coin, szi, asOf }: ClaimOf<'position'>): Slices<Verdict> {
    const { here } = this
    const atMs = this.claimedAt(asOf)
    const nowAt = this.sizeAt(address, coin, atMs)
    const truth = { kind: 'position', address, coin, szi: nowAt }
    if (plainDecimal(szi) === plainDecimal(nowAt)) return right(truth)
    const span = { startTimeMs: atMs - this.wayMs, endTimeMs: here.atMs, limit: FILLS_MAX }
    const recent = yield* this.at(here.atMs).fills.nativeBetween(address, span)
    // Before each of them the account had what the fill says that it started from.
    const before = recent.filter((one) => one.coin === coin).map((one) => one.startPosition)
    if (before.some((size) => plainDecimal(size) === plainDecimal(szi))) return right(truth)
    const [last] = this.at(here.atMs)
      .fills.native(address, FILLS_MAX)
      .filter((one) => one.coin === coin)
    const since = last === undefined ? null : this.shown(last.time)
    return wrong(`the position of ${address} in ${coin} is ${nowAt}, not ${szi}`, truth, since)
  }

  private sizeAt(address: string, coin: string, atMs: number): string {
    const { assetPositions } = this.at(atMs).accounts.native(address, '')
    return assetPositions.find(({ position }) => position.coin === coin)?.position.szi ?? '0'
  }

  private *fills({ address, from, to, tids }: ClaimOf<'fills'>): Slices<Verdict> {
    const { here } = this
    const { shiftMs, lap } = here
    const endMs = Math.min(to ?? Number.MAX_SAFE_INTEGER, this.shown(here.atMs))
    const span = { startTimeMs: from - shiftMs, endTimeMs: endMs - shiftMs, limit: FILLS_MAX }
    const facts = this.at(here.atMs)
    const all = yield* facts.fills.nativeBetween(address, span)
    if (all.length === FILLS_MAX)
      return open(`there are ${FILLS_MAX} fills or more: claim a shorter time`, null)
    const known = new Map(all.map(({ tid, time }) => [lapId(tid, 'trade', lap) as number, time]))
    const truth = { kind: 'fills', address, from, tids: [...known.keys()] }
    const seen = new Set<number>()
    for (const tid of tids) {
      if (seen.has(tid)) return wrong(`the fill ${tid} is counted twice`, truth, null)
      seen.add(tid)
      if (!known.has(tid)) return wrong(`there is no fill ${tid} in that time`, truth, null)
    }
    const missing = [...known].filter(([tid]) => !seen.has(tid))
    const late = missing.filter(([, time]) => time < endMs - shiftMs - this.wayMs)
    const [first] = late
    if (first === undefined)
      return missing.length === 0
        ? right(truth)
        : { ...right(truth), why: 'the rest is on its way' }
    if (['userFills', 'fills'].some((channel) => this.isDisturbed(channel, null)))
      return open('a rule holds fills back', truth)
    const { queuedCount, discardedCount } = hubOf(this.sandbox)
    if (queuedCount + discardedCount > 0) return open('frames were held back or discarded', truth)
    return wrong(`${late.length} fills are missing, first ${first[0]}`, truth, this.shown(first[1]))
  }

  private *stale({ channel, coin, stale }: ClaimOf<'stale'>): Slices<Verdict> {
    const streams = connectionFigures(this.sandbox)
      .flatMap((one) => one.streams)
      .filter((one) => one.channel === channel && one.subscription.coin === coin)
    if (streams.length === 0)
      return stale
        ? right({ kind: 'stale', channel, coin, stale })
        : this.withoutStream(channel, coin)
    const isNow = streams.some((one) => one.stale)
    const truth = { kind: 'stale', channel, coin, stale: isNow }
    if (isNow === stale) return right(truth)
    // Only a frame that has had time to arrive can be held against the client.
    const frame = yield* this.lastFrame(channel, coin)
    if (frame === null) return open('no frame of it has had time to arrive', truth)
    const saysStale = frame.text.includes('"stale":true')
    if (saysStale === stale || this.isDisturbed(channel, coin))
      return open('the last frame that it has had says so', truth)
    const why = stale ? 'it is fresh, and has been pushed' : 'the service has marked it as stale'
    return wrong(why, truth, Math.floor(frame.sessionMs))
  }

  private withoutStream(channel: string, coin: string): Verdict {
    const truth = { kind: 'stale', channel, coin, stale: true }
    for (const entry of this.recent())
      if (entry.kind === 'socket' && entry.event === 'closed')
        return open('its connection was closed a moment ago', truth)
    return wrong(`no connection is subscribed to ${channel} of ${coin}`, truth, null)
  }

  /** The newest frame of a channel and coin that was sent a moment ago or earlier. */
  private *lastFrame(
    channel: string,
    coin: string,
  ): Slices<{ text: string; sessionMs: number } | null> {
    let count = 0
    for (const entry of this.recent(this.nowMs - SEARCHED_MS)) {
      if (++count > SEARCHED_MAX) return null
      if (count % 200 === 0) yield
      if (entry.kind !== 'frame' || entry.direction !== 'out') continue
      if (entry.sessionMs > this.nowMs - ARRIVED_MS) continue
      if (entry.text.includes(`"channel":"${channel}"`) && entry.text.includes(`"${coin}"`))
        return entry
    }
    return null
  }

  private subscribed({ subscriptions }: ClaimOf<'subscribed'>): Verdict {
    const streams = connectionFigures(this.sandbox).flatMap((one) => one.streams)
    const truth = {
      kind: 'subscribed',
      subscriptions: streams.slice(0, 100).map(({ channel, subscription }) => ({
        channel,
        ...subscription,
      })),
    }
    const missing = subscriptions.find(
      ({ channel, ...about }) =>
        !streams.some(
          (one) =>
            one.channel === channel &&
            Object.entries(about).every(
              ([name, value]) =>
                String(one.subscription[name]).toLowerCase() === value.toLowerCase(),
            ),
        ),
    )
    if (missing === undefined) return right(truth)
    let since: number | null = null
    for (const entry of this.recent(0)) {
      if (entry.kind !== 'socket' || entry.event !== 'closed') continue
      if (entry.sessionMs >= this.nowMs - ON_ITS_WAY_MS)
        return open('a connection was closed a moment ago', truth)
      since = Math.floor(entry.sessionMs)
      break
    }
    return wrong(`no connection is subscribed to ${JSON.stringify(missing)}`, truth, since)
  }

  private candle({ coin, interval, t, ...prices }: ClaimOf<'candle'>): Verdict {
    const { here } = this
    const lengthMs = readSpan(interval)
    const facts = this.at(here.atMs)
    if (lengthMs === null || !facts.market.isCoin(coin))
      return wrong(`there are no candles of ${coin} and ${interval}`, null, null)
    const found = facts.candles.at(coin, interval, t - here.shiftMs)
    const closesMs = t + lengthMs
    if (closesMs > this.shown(here.atMs))
      return wrong(`it is not closed before ${closesMs}`, null, null)
    if (found === null || this.shown(found.t) !== t)
      return wrong(`no candle of ${coin} opens at ${t}`, null, null)
    const { o, h, l, c, v } = found
    const truth = { kind: 'candle', coin, interval, t, o, h, l, c, v }
    const other = (['o', 'h', 'l', 'c', 'v'] as const).find(
      (name) =>
        prices[name as 'o'] !== undefined &&
        plainDecimal(prices[name as 'o']) !== plainDecimal(truth[name]),
    )
    if (other === undefined) return right(truth)
    if (this.isDisturbed('candle', coin)) return open('a rule changes candles', truth)
    const why = `its ${other} is ${truth[other]}, not ${prices[other as 'o']}`
    return wrong(why, truth, closesMs)
  }
}

/** Session time after which a frame has arrived at a client that keeps up. */
const ARRIVED_MS = 1_000
/** Bounds of a search in the journal. */
const SEARCHED_MS = 120_000
const SEARCHED_MAX = 20_000
/** Entries of the journal hold the first 2,000 characters of a frame. */
const COMPARED_LENGTH = 1_200
const FILLS_MAX = 2_000
const LEVELS_COMPARED = 20

type Level = { px: string; sz: string }

/** Whether the claimed levels are the first ones; none may be left out in between. */
function hasLevels(levels: readonly Level[], claimed: readonly Level[]): boolean {
  const compared = claimed.slice(0, LEVELS_COMPARED)
  if (compared.length === 0 && levels.length > 0) return false
  return compared.every(({ px, sz }, index) => {
    const level = levels[index]
    return (
      level !== undefined &&
      plainDecimal(level.px) === plainDecimal(px) &&
      plainDecimal(level.sz) === plainDecimal(sz)
    )
  })
}

/** `-01.50` as `-1.5`: two texts of one number are equal. */
function plainDecimal(text: string): string {
  const [, sign = '', whole = '', part = ''] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  const digits = part === '' ? whole : `${whole}.${part}`
  return digits === '0' ? '0' : `${sign}${digits}`
}
