/** Lies on sockets: each frame is right by itself, but not among the others. */

import { CHANNELS } from '../../contract/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import { channelOf } from '../answer-content.ts'
import type { SocketFrame } from '../probe-socket.ts'
import { isJsonObject, type JsonObject, parsedJson } from '../responses.ts'
import { nudged } from './answer-changes.ts'
import type { Lie } from './lying-transport.ts'
import { type Change, type ConnectionChange, pathBelow } from './lying-transport.ts'
import { numericFields } from './numeric-fields.ts'

const NEEDS = 'events of that channel while the run listens'

const lie = (channel: Channel, what: string, change: () => Change, needs = NEEDS): Lie => ({
  id: `sockets.${channel.id}: ${what}`,
  family: 'sockets',
  of: channel.id,
  needs,
  change,
})

/** The connections of a channel's path. */
export const onPath = (channel: Channel, change: () => ConnectionChange): Change => ({
  connection: (path) => (pathBelow({ path }) === channel.dialect.path ? change() : {}),
})

/** Changes pushes of a channel; their rank is within the subject, and that of a snapshot is 0. */
export const pushes = (
  channel: Channel,
  newChange: () => (frame: SocketFrame, rank: number) => SocketFrame[],
): Change =>
  onPath(channel, () => {
    const [ranks, change] = [new Map<string, number>(), newChange()]
    return {
      frame: (text) => {
        const frame = parsedJson(text)
        if (!isJsonObject(frame) || channelOf(channel.dialect.path, frame) !== channel)
          return [text]
        const subject = subjectOf(frame)
        const rank = ranks.get(subject) ?? 0
        ranks.set(subject, rank + 1)
        return change(frame, rank).map((one) => JSON.stringify(one))
      },
    }
  })

function subjectOf({ data }: SocketFrame): string {
  const row = Array.isArray(data) ? data[0] : data
  if (!isJsonObject(row)) return ''
  const { coin, s, i, user, address } = row
  return [coin, s, i, user, address].join(' ')
}

// Kinds for every channel.

/** So many pushes between two that are changed. */
const EACH = 5

/** Channels whose pushes are events, of which none may be lost or repeated. */
const EVENTS: ReadonlySet<string> = new Set([
  'trades',
  'userFills',
  'addressFills',
  'addressFilledOrders',
  'userNonFundingLedgerUpdates',
])

const ofEvents = (channel: Channel): Lie[] => [
  lie(channel, `one push in ${EACH} is lost`, () =>
    pushes(channel, () => (frame, rank) => (rank % EACH === EACH - 1 ? [] : [frame])),
  ),
  lie(channel, `one push in ${EACH} is repeated`, () =>
    pushes(channel, () => (frame, rank) => (rank % EACH === EACH - 1 ? [frame, frame] : [frame])),
  ),
  lie(channel, `one push in ${EACH} comes after the next one`, () =>
    pushes(channel, () => {
      let held: SocketFrame | null = null
      return (frame, rank) => {
        if (rank % EACH === EACH - 1 && held === null) {
          held = frame
          return []
        }
        const late = held
        held = null
        return late === null ? [frame] : [frame, late]
      }
    }),
  ),
]

const ofAll = (channel: Channel): Lie[] => [
  lie(channel, 'each push is sent for another subject as well', () =>
    pushes(channel, () => (frame) => [frame, { ...frame, data: ofAnother(frame.data) }]),
  ),
  lie(channel, 'each reply to a ping is sent twice', () =>
    onPath(channel, () => ({
      frame: (text) => (/"pong"/.test(text) && text.length < 100 ? [text, text] : [text]),
    })),
  ),
  lie(channel, 'what is unsubscribed goes on', () =>
    onPath(channel, () => ({ sent: (frame, tell) => deafTo(frame, tell) })),
  ),
]

/** An unsubscription is acknowledged, and not passed on. */
function deafTo(text: string, tell: (frame: string) => void): string[] {
  const frame = parsedJson(text)
  if (!isJsonObject(frame)) return [text]
  const { method, type, subscription } = frame
  if (method === 'unsubscribe')
    tell(JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }))
  else if (type === 'unsubscribe') tell(JSON.stringify({ type }))
  else return [text]
  return []
}

function ofAnother(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(ofAnother)
  if (!isJsonObject(data)) return data
  const names = ['coin', 's', 'user', 'address'].filter((name) => name in data)
  const other = (value: unknown) => (/^0x/.test(String(value)) ? `0x${'1'.repeat(40)}` : 'DOGE')
  return { ...data, ...Object.fromEntries(names.map((name) => [name, other(data[name])])) }
}

/** Each figure of a live push is another one than over REST. */
const ofFigures = (channel: Channel): Lie[] =>
  numericFields(channel.data).map(({ path, name, holders }) =>
    lie(channel, `${path} is a hundredth more in live pushes`, () =>
      pushes(channel, () => (frame, rank) => {
        if (rank === 0) return [frame]
        const data = structuredClone(frame.data)
        for (const holder of holders(data)) holder[name] = nudged(holder[name])
        return [{ ...frame, data }]
      }),
    ),
  )

// Kinds of some channels.

const BY_ADDRESS = (channel: Channel): boolean =>
  channel.dialect.name === 'addresses' || 'user' in channel.subscription.properties

/** Addresses in upper case are acknowledged and never heard. */
const deafToUpperCase = (channel: Channel): Lie[] =>
  channel.dialect.name !== 'addresses'
    ? []
    : [
        lie(channel, 'addresses in upper case are acknowledged and never heard', () =>
          onPath(channel, () => ({
            sent: (frame, tell) => {
              if (!/"0x\d*[A-F]/.test(frame) || !frame.includes('"subscribe"')) return [frame]
              tell('{"type":"subscribe"}')
              return []
            },
          })),
        ),
      ]

const snapshotsAlways = (channel: Channel): Lie[] =>
  'isSnapshot' in (channel.data.properties ?? {})
    ? [
        lie(channel, 'every push is called a snapshot', () =>
          pushes(channel, () => (frame) => [
            { ...frame, data: { ...(frame.data as JsonObject), isSnapshot: true } },
          ]),
        ),
      ]
    : []

const backInTime = (channel: Channel): Lie[] =>
  EVENTS.has(channel.id)
    ? []
    : [
        lie(channel, `one push in ${EACH} is the one before it again`, () =>
          pushes(channel, () => {
            const before = new Map<string, SocketFrame>()
            return (frame, rank) => {
              const subject = subjectOf(frame)
              const earlier = before.get(subject)
              before.set(subject, frame)
              return earlier && rank % EACH === EACH - 1 ? [frame, earlier] : [frame]
            }
          }),
        ),
      ]

const of = (channel: Channel): Lie[] => [
  ...(EVENTS.has(channel.id) ? ofEvents(channel) : []),
  ...ofAll(channel),
  ...ofFigures(channel),
  ...(BY_ADDRESS(channel) ? deafToUpperCase(channel) : []),
  ...snapshotsAlways(channel),
  ...backInTime(channel),
]

export const SOCKET_LIES: readonly Lie[] = CHANNELS.flatMap(of)
