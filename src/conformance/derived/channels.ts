/** Channels: acknowledgements, pushes, and access. */

import type { Channel } from '../../contract/channel.ts'
import { someCoins } from '../example-filler.ts'
import type { Case, Probe } from '../probe.ts'
import { ProbeSocket, type SocketFrame } from '../probe-socket.ts'
import { requirementsOf } from '../requirements.ts'
import {
  assertAtLeast,
  assertSame,
  isJsonObject,
  isSameJson,
  type JsonObject,
} from '../responses.ts'
import {
  asGroup,
  command,
  exchanged,
  isOf,
  isOfficial,
  isUserChannel,
  openOn,
  pushesIn,
  subscriptionKeys,
  untilPong,
  withOptions,
} from './channel-dialogue.ts'
import { CROSS_CHANNEL_CHECKS, judgeCrossChannel } from './cross-channel-checks.ts'
import { judgeFresh, judgeLaterSnapshot, judgeStale, judgeStreams } from './streams.ts'

/**
 * The first push is the snapshot of the subscription. The target's time is held, so that no live
 * push can be mistaken for it.
 */
async function judgeSnapshot(probe: Probe, channel: Channel): Promise<void> {
  const isHeld = await probe.holdTime()
  const keys = await subscriptionKeys(probe, channel, 2)
  for (const key of keys) {
    const socket = await openOn(probe, channel)
    const early = await command(probe, socket, channel, 'subscribe', key)
    assertSame(probe, early, [], `nothing of ${channel.id} comes before its acknowledgement`)
    const first = isHeld ? pushesIn(probe, channel, await untilPong(socket, channel)) : []
    const snapshot = first[0] ?? (isHeld ? null : await firstPush(probe, channel, socket))
    probe.assert(snapshot, `${channel.id} pushes its snapshot before anything happens`)
    probe.assert(isOf(key, snapshot), `the snapshot of ${channel.id} is of the requested key`, {
      expected: key,
      found: snapshot,
    })
    await judgeOnce(probe, channel, key)
    if (hasSnapshotFlag(channel))
      probe.assert(
        isJsonObject(snapshot.data) && snapshot.data.isSnapshot === true,
        SNAPSHOT_FLAG,
        snapshot,
      )
  }
  await judgeTurns(probe, channel, await withDexes(probe, channel, keys))
}

/** After one has ended, another one on the same connection has its own snapshot. */
async function judgeTurns(
  probe: Probe,
  channel: Channel,
  keys: readonly JsonObject[],
): Promise<void> {
  const socket = await openOn(probe, channel)
  for (const key of keys) {
    await command(probe, socket, channel, 'subscribe', key)
    const first = await firstPush(probe, channel, socket)
    // Pushes in transit for the one before may come first.
    const pushes = [first ?? [], pushesIn(probe, channel, await untilPong(socket, channel))].flat()
    const own = pushes.some((frame) => isOf(key, frame))
    probe.assert(own, `${channel.id} pushes the requested key after another has ended`, pushes[0])
    await command(probe, socket, channel, 'unsubscribe', key)
  }
}

/** The first with each dex, where a subscription names one; then the others. */
async function withDexes(
  probe: Probe,
  channel: Channel,
  keys: readonly JsonObject[],
): Promise<JsonObject[]> {
  if (!('dex' in channel.subscription.properties)) return [...keys]
  const coins = await someCoins(probe)
  const dexes = coins.filter((coin) => coin.includes(':')).map((coin) => coin.split(':')[0])
  const named = ['', ...new Set(dexes)].slice(0, DEXES).map((dex) => ({ ...keys[0], dex }))
  return [...named, ...named.slice(0, 1), ...keys]
}

/** The main one, and a builder dex. */
const DEXES = 2

/**
 * The snapshot comes once: when time passes other pushes may follow it, but not an equal one at
 * once. In a fast market a silent state may be repeated meanwhile, though not on each connection.
 */
async function judgeOnce(probe: Probe, channel: Channel, key: JsonObject): Promise<void> {
  let twice: SocketFrame[] = []
  for (let tries = 0; tries <= probe.retries; tries++) {
    const socket = await openOn(probe, channel)
    await command(probe, socket, channel, 'subscribe', key)
    const [one, two] = pushesIn(probe, channel, await untilPong(socket, channel))
    socket.close()
    if (!one || !two || !isSameJson(one, two)) return
    twice = [one, two]
  }
  probe.assert(false, `the snapshot of ${channel.id} is pushed once`, twice)
}

const SNAPSHOT_FLAG = 'it says that it is a snapshot'

const hasSnapshotFlag = ({ data }: Channel): boolean => 'isSnapshot' in (data.properties ?? {})

async function firstPush(
  probe: Probe,
  channel: Channel,
  socket: ProbeSocket,
): Promise<SocketFrame | null> {
  const frame = await socket.next()
  return frame ? (pushesIn(probe, channel, [frame])[0] ?? null) : null
}

type Step = ['subscribe' | 'unsubscribe', which: number, status: string, activeCount: number]

/** All transitions of a key beside another one, and the content of each acknowledgement. */
const STEPS: readonly Step[] = [
  ['unsubscribe', 0, 'notSubscribed', 0],
  ['subscribe', 0, 'subscribed', 1],
  ['subscribe', 1, 'subscribed', 2],
  ['subscribe', 0, 'alreadySubscribed', 2],
  ['unsubscribe', 0, 'unsubscribed', 1],
  ['unsubscribe', 0, 'notSubscribed', 1],
  ['subscribe', 0, 'subscribed', 2],
  ['unsubscribe', 1, 'unsubscribed', 1],
  ['unsubscribe', 0, 'unsubscribed', 0],
]

/** Each command is acknowledged once, before its pushes, with the resulting state. */
async function judgeAcknowledgements(probe: Probe, channel: Channel): Promise<void> {
  await probe.holdTime()
  const keys = await subscriptionKeys(probe, channel, 2)
  if (keys.length < 2) probe.skip('the target lists only one key to follow')
  const socket = await openOn(probe, channel)
  const requested = new Set<number>()
  for (const [method, which, ...right] of STEPS) {
    // A second account replaces the first, or not (open).
    if (which === 1 && isUserChannel(channel)) continue
    const key = keys[which] as JsonObject
    const { before, reply } = await exchanged(probe, socket, channel, method, key)
    const early = requested.has(which) ? undefined : before.find((frame) => isOf(key, frame))
    probe.assert(!early, `nothing of ${channel.id} comes before its acknowledgement`, early)
    const twice = before.find((frame) => frame.channel === 'subscriptionResponse')
    probe.assert(!twice, 'a command is acknowledged once', twice)
    const { status, activeCount } = isJsonObject(reply.data) ? reply.data : {}
    if (channel.counted)
      probe.assert(
        isSameJson([status, activeCount], right),
        `${method} of ${channel.id} is ${right.join(', activeCount ')} after the earlier commands`,
        reply,
      )
    if (method === 'subscribe') requested.add(which)
  }
}

/** Number of accounts followed, each with every option. */
const ACCOUNTS = 24
/** Long enough for a push, and too short to age signatures, ms. */
const SPAN_MS = 8_000

/** Every option is acknowledged field by field, and its pushes match the declaration. */
async function judgeOptions(probe: Probe, channel: Channel): Promise<void> {
  await probe.holdTime()
  const keys = await subscriptionKeys(probe, channel, isUserChannel(channel) ? ACCOUNTS : 1)
  const requested = keys.flatMap((key, at) => (at === 0 ? withOptions(channel, key) : [key]))
  // Concurrently: in sequence, the first would be idle too long.
  const followed = await Promise.all(
    requested.map(async (key) => {
      const socket = await openOn(probe, channel)
      const early = await command(probe, socket, channel, 'subscribe', key)
      pushesIn(probe, channel, early)
      return { socket, key }
    }),
  )
  await probe.waitUpTo(SPAN_MS)
  const judged = followed.map(async ({ socket, key }) => {
    const pushes = pushesIn(probe, channel, await untilPong(socket, channel))
    judgeFresh(probe, channel, pushes)
    if (channel.counted)
      assertAtLeast(probe, pushes.length, 1, `${JSON.stringify(key)} is followed by pushes`)
    pushesIn(probe, channel, await command(probe, socket, channel, 'unsubscribe', key))
    if (isOfficial(channel)) socket.close()
  })
  await Promise.all(judged)
}

/** A family of checks of a channel. */
interface ChannelFamily {
  /** The requirement: follows the channel's id. */
  title: string
  checks: readonly string[]
  needs?: Case['needs']
  judge(probe: Probe, channel: Channel): Promise<void>
}

export const CHANNEL_FAMILIES = {
  push: {
    title: 'acknowledges a subscription and pushes what it declares',
    checks: [],
    judge: judgePush,
  },
  options: {
    title: 'echoes every option of a subscription and pushes with it what it declares',
    checks: [],
    judge: judgeOptions,
  },
  snapshot: {
    title: 'pushes its snapshot before anything happens',
    checks: ['event.snapshot'],
    judge: judgeSnapshot,
  },
  streams: {
    title: 'pushes once for a repeated key, serves other keys beside it, and ends one alone',
    checks: ['channel.duplicate', 'state.subscription.unsubscribed'],
    judge: judgeStreams,
  },
  stale: {
    title: 'is repeated while nothing happens, and is stale only then',
    checks: ['event.republish', 'event.stale'],
    needs: ['control'],
    judge: judgeStale,
  },
  acknowledgements: {
    title: 'acknowledges each transition once, before its pushes, and counts what is active',
    checks: [],
    judge: judgeAcknowledgements,
  },
  witness: {
    title: 'pushes the events that are shown elsewhere, for every key',
    checks: [],
    judge: (probe, channel) =>
      CROSS_CHANNEL_CHECKS[channel.id]
        ? judgeCrossChannel(probe, channel)
        : judgeLaterSnapshot(probe, channel),
  },
} satisfies Record<string, ChannelFamily>

export type ChannelFamilyName = keyof typeof CHANNEL_FAMILIES

const NOT_FIRST = 'rule 1 of Events speaks of /ws: nothing is pushed before something happens'
const NO_STATE = 'it pushes events, and no state that could expire'
const NOT_AGAIN = 'rule 1 of Events speaks of /ws'

/** Skipped checks of a channel, with reasons. */
export const CHANNEL_EXEMPTIONS: Readonly<
  Record<string, Partial<Record<ChannelFamilyName, string>>>
> = {
  trades: { snapshot: 'whether it has one is open (trades-snapshot)', stale: NO_STATE },
  userFills: { stale: NO_STATE },
  userNonFundingLedgerUpdates: { stale: NO_STATE },
  addressFills: { snapshot: NOT_FIRST, stale: NOT_AGAIN },
  addressFilledOrders: { snapshot: NOT_FIRST, stale: NOT_AGAIN },
  addressClearinghouseState: {
    snapshot: 'whether the state is pushed at once is open (account-state-first)',
    stale: NOT_AGAIN,
  },
}

/** The official dialect's own path is checked in the venue's profile. */
export function channelCases(channel: Channel): Case[] {
  const { id } = channel
  const checks = requirementsOf(id, 'answer')
  const families = Object.entries(CHANNEL_FAMILIES) as [ChannelFamilyName, ChannelFamily][]
  return [
    ...families
      .filter(([name]) => CHANNEL_EXEMPTIONS[id]?.[name] === undefined)
      .map(
        ([name, family]): Case => ({
          id: `channel.${id}.${name}`,
          title: `${id} ${family.title}`,
          checks: [...checks, ...family.checks],
          ...(family.needs ? { needs: family.needs } : {}),
          passesTime: true,
          run: (probe) => family.judge(probe, channel),
        }),
      ),
    {
      id: `channel.${id}.permission`,
      title: `${id} gives no socket to a key without the permission`,
      checks: requirementsOf(id, 'access'),
      needs: ['bare'],
      run: (probe) => judgePermission(probe, channel),
    },
  ]
}

async function judgePermission(probe: Probe, { dialect }: Channel): Promise<void> {
  const opened = await probe.tryConnect({ path: dialect.path, signedBy: 'bare' })
  const words = `${dialect.path} opens no socket for a key without rights`
  probe.assert(!(opened instanceof ProbeSocket), words)
  assertSame(probe, opened.status, 403, `the upgrade is refused with 403, not ${opened.status}`)
}

async function judgePush(probe: Probe, channel: Channel): Promise<void> {
  const socket = await openOn(probe, channel)
  const isOne = channel.dialect.name === 'official'
  const keys = await subscriptionKeys(probe, channel, isOne ? 1 : GROUPED)
  const key = isOne ? (keys[0] ?? {}) : asGroup(keys)
  await command(probe, socket, channel, 'subscribe', key)
  const { control, patienceMs } = probe.target
  for (let tries = 0; tries < TRIES; tries++) {
    const frame = await socket.next(control ? 0 : patienceMs)
    const [push] = frame ? pushesIn(probe, channel, [frame]) : []
    if (push) probe.assert(isOf(key, push), `${channel.id} pushes only what was requested`, push)
    if (push) return
    if (frame === null && !control) return
    if (frame === null) await control?.advance(1_000)
  }
}

/** Accounts in one subscription. */
const GROUPED = 100
/** Seconds to wait for an event. */
const TRIES = 40
