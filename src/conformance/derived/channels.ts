/** Each channel: its acknowledgements, what it pushes, and who may follow it. */

import type { Channel } from '../../contract/channel.ts'
import { assertSame } from '../assertions.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { ProbeSocket } from '../probe-socket.ts'
import { requirementsOf } from '../requirements.ts'
import { judgeAcknowledgements } from './channels/acknowledgements.ts'
import { command, isOf, openOn, pushesIn } from './channels/channel-dialogue.ts'
import { judgeLaterSnapshot } from './channels/later-snapshot.ts'
import { judgeOptions } from './channels/options.ts'
import { judgeSnapshot } from './channels/snapshot.ts'
import { judgeStale } from './channels/stale.ts'
import { judgeStreams } from './channels/streams.ts'
import { asGroup, subscriptionKeys } from './channels/subscription-keys.ts'
import { judgeWitness, WITNESSES } from './channels/witness.ts'

/** Ways of looking at a channel. */
interface ChannelFamily {
  /** What must hold: it follows the channel's id. */
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
    title: 'pushes once for a key asked for twice, feeds others beside it, and ends one alone',
    checks: ['channel.duplicate', 'state.subscription.unsubscribed'],
    judge: judgeStreams,
  },
  stale: {
    title: 'is sent again while nothing happens, and is stale only then',
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
    title: 'pushes what is shown elsewhere to have happened, for every key',
    checks: [],
    judge: (probe, channel) =>
      WITNESSES[channel.id] ? judgeWitness(probe, channel) : judgeLaterSnapshot(probe, channel),
  },
} satisfies Record<string, ChannelFamily>

export type ChannelFamilyName = keyof typeof CHANNEL_FAMILIES

const NOT_FIRST = 'rule 1 of Events speaks of /ws: nothing is pushed before something happens'
const NO_STATE = 'it pushes what happens, and no state that could expire'
const NOT_AGAIN = 'rule 1 of Events speaks of /ws'

/** What is not looked at of a channel, and why. */
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

/** Ways of speaking of the official dialect's own path are left to the venue's profile. */
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
    if (push) probe.assert(isOf(key, push), `${channel.id} pushes what was asked for alone`, push)
    if (push) return
    if (frame === null && !control) return
    if (frame === null) await control?.advance(1_000)
  }
}

/** Accounts that are followed by one subscription. */
const GROUPED = 100
/** Seconds in which something is waited for. */
const TRIES = 40
