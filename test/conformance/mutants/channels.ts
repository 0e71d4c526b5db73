/** Deviations of sockets. */
import type { Mutant } from './mutant.ts'

type Json = Record<string, unknown>

/** Changes frames of one sort. */
const inFrames =
  (isMeant: (frame: Json) => boolean, change: (frame: Json) => Json | null) => (text: string) => {
    const frame = JSON.parse(text) as Json
    if (!isMeant(frame)) return text
    const changed = change(frame)
    return changed === null ? null : JSON.stringify(changed)
  }

const isReply = ({ channel }: Json) => channel === 'subscriptionResponse'
const without = (name: string) => (frame: Json) => {
  const { [name]: _, ...data } = frame.data as Json
  return { ...frame, data }
}

const CHANNELS = ['trades', 'l2Book', 'bbo', 'candle', 'clearinghouseState', 'userFills']

export const CHANNEL_MUTANTS: readonly Mutant[] = CHANNELS.flatMap((channel): Mutant[] => {
  const caseIdPrefixes = [`channel.${channel}.push`]
  const isPush = (frame: Json) => frame.channel === channel
  const counted = ['trades', 'l2Book', 'bbo', 'candle'].includes(channel)
  return [
    {
      name: `${channel}: no acknowledgement`,
      caseIdPrefixes,
      frame: inFrames(isReply, () => null),
    },
    {
      name: `${channel}: the acknowledgement has no method`,
      caseIdPrefixes,
      frame: inFrames(isReply, without('method')),
    },
    {
      name: `${channel}: the subscription is not repeated whole`,
      caseIdPrefixes,
      frame: inFrames(isReply, (frame) => ({
        ...frame,
        data: { ...(frame.data as Json), subscription: { type: channel } },
      })),
    },
    {
      name: `${channel}: status ${counted ? 'is missing' : 'is told'}`,
      caseIdPrefixes,
      frame: inFrames(isReply, (frame) =>
        counted
          ? without('status')(frame)
          : { ...frame, data: { ...(frame.data as Json), status: 'subscribed', activeCount: 1 } },
      ),
    },
    {
      name: `${channel}: a push has a field of another name`,
      caseIdPrefixes,
      frame: inFrames(isPush, (frame) => {
        const row = Array.isArray(frame.data) ? (frame.data[0] as Json) : (frame.data as Json)
        const name = Object.keys(row).at(-1) ?? ''
        row[`${name}_`] = row[name]
        delete row[name]
        return frame
      }),
    },
    {
      name: `${channel}: a socket is refused with 401 where the permission is missing`,
      caseIdPrefixes: [`channel.${channel}.permission`],
      request: (received) => ({ ...received, status: 401 }),
    },
  ]
})
