/** Connections to each path: access, lifetime, and keep-alive. */

import type { ConnectionChange } from '../../../../src/conformance/lies/lying-transport.ts'
import type { TransportResponse } from '../../../../src/conformance/target-transport.ts'
import type { Channel } from '../../../../src/contract/channel.ts'
import { PREFIXES } from '../../../../src/contract/prefixes.ts'
import type { Deviation, Place } from '../deviation.ts'

/** Of the path of a channel. */
export function connectionDeviations(channel: Channel): Deviation[] {
  const at = PREFIXES.map((prefix) => `${prefix}${channel.dialect.path}`)
  const isHere = (path: string) => at.includes(path.split('?')[0] ?? '')
  const kept = Object.entries(KEPT).map(([what, begin]): [string, Deviation['change']] => [
    what,
    (place) => ({ connection: (path) => (isHere(path) ? begin(place) : {}) }),
  ])
  const refused = Object.entries(REFUSED).map(([what, change]): [string, Deviation['change']] => [
    what,
    () => ({ answer: (received, sent) => (isHere(sent.path) ? change(received) : received) }),
  ])
  return [...kept, ...refused].map(([what, change]) => ({
    id: `connection.${channel.dialect.path}: ${what}`,
    class: 'connection',
    of: channel.id,
    change,
  }))
}

/** Closed by the service after a time without client messages. */
const closingAfter =
  (idleMs: number) =>
  ({ nowMs }: Place): ConnectionChange => {
    let heardMs = nowMs()
    return {
      sent: (frame) => {
        heardMs = nowMs()
        return [frame]
      },
      closeCode: (right) => right ?? (nowMs() - heardMs >= idleMs ? 1006 : null),
    }
  }

const KEPT: Record<string, (place: Place) => ConnectionChange> = {
  'it is never closed': () => ({ closeCode: () => null }),
  'it is closed after 30 s': closingAfter(30_000),
  'it is closed after 50 s': closingAfter(50_000),
  'it is closed with another code': () => ({ closeCode: (right) => right && 1008 }),
  'a message closes it': () => {
    let hasHeard = false
    return {
      sent: (frame) => {
        hasHeard = true
        return [frame]
      },
      closeCode: (right) => right ?? (hasHeard ? 1002 : null),
    }
  },
  'heartbeats do not keep it': ({ nowMs }) => {
    let heardMs = nowMs()
    return {
      sent: (frame) => {
        if (!frame.includes('"ping"')) heardMs = nowMs()
        return [frame]
      },
      closeCode: (right) => right ?? (nowMs() - heardMs >= 60_000 ? 1006 : null),
    }
  },
  'a ping is not answered': () => ({ frame: (frame) => (frame.includes('"pong"') ? [] : [frame]) }),
  'a ping is answered twice': () => ({
    frame: (frame) => (frame.includes('"pong"') ? [frame, frame] : [frame]),
  }),
  'a ping is answered in another form': () => ({
    frame: (frame) => [frame.includes('"pong"') ? '{"pong":true}' : frame],
  }),
  'frames are no JSON': () => ({ frame: (frame) => [`${frame};`] }),
}

const REFUSED: Record<string, (received: TransportResponse) => TransportResponse> = {
  'a missing permission is 401': (received) =>
    received.status === 403 ? { ...received, status: 401 } : received,
  'a missing permission is 200': (received) =>
    received.status === 403 ? { ...received, status: 200 } : received,
  'a wrong signature is 200': (received) =>
    received.status === 401 ? { ...received, status: 200 } : received,
}
