import type { Change } from '../../../../src/conformance/lies/lying-transport.ts'
import type { Deviation } from '../deviation.ts'
import { deviationsOf, frames, pushes } from './shorthand.ts'

/** Deviations of pushes. */
export const PUSH_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('sockets.pushes.fills', {
    'a fill has the name of its channel': frames((frame) =>
      frame.type === 'data' ? { channel: 'userFills', data: frame.data } : frame,
    ),
    'a fill is in the simple form': frames((frame) =>
      frame.type === 'data' ? { ...frame, data: { ...frame.data, side: 'buy' } } : frame,
    ),
    'a fill is of somebody else': frames((frame) =>
      frame.type === 'data' ? { ...frame, data: { ...frame.data, address: '0x1' } } : frame,
    ),
    'tid is text': frames((frame) =>
      frame.type === 'data'
        ? { ...frame, data: { ...frame.data, tid: `${frame.data.tid}` } }
        : frame,
    ),
  }),
  ...deviationsOf('sockets.pushes.filled-orders', {
    'children are missing': frames((frame) => {
      if (frame.type !== 'data') return frame
      const { children: _, ...data } = frame.data
      return { ...frame, data }
    }),
    'positionTpsl is called isPositionTpsl': pushingAs('"positionTpsl"', '"isPositionTpsl"'),
  }),
  ...deviationsOf('sockets.pushes.states', {
    'a state is not in state': pushes('clearinghouseState', ({ address, state }) => ({
      address,
      ...state,
    })),
  }),
  ...deviationsOf('sockets.pushes.trades', {
    'a trade is no list': pushes('trades', (list) => list[0]),
    'a push is empty': pushes('trades', () => []),
    'a trade is pushed twice': frames((frame) =>
      frame.channel === 'trades' ? [frame, frame] : frame,
    ),
  }),
  ...deviationsOf('sockets.pushes.candles', {
    'T is the start of the next': pushes('candle', (one) => ({ ...one, T: one.t + 5000 })),
    'candles go back': () => {
      let times = 0
      return pushes('candle', (one) => ({ ...one, t: one.t - 5000 * times++ }))
    },
  }),
  ...deviationsOf('sockets.pushes.ended', {
    'unsubscribing is only said': {
      connection: () => ({
        sent: (frame, tell) => {
          if (!frame.includes('unsubscribe')) return [frame]
          tell(ANSWERED)
          return []
        },
      }),
    },
  }),
]

const ANSWERED = '{"channel":"subscriptionResponse","data":{"status":"unsubscribed"}}'

function pushingAs(name: string, other: string): Change {
  return { connection: () => ({ frame: (frame) => [frame.replace(name, other)] }) }
}
