import { Nullable, Type } from '../../../contract/schema.ts'
import { connectionFigures } from '../../../sandbox/session/socket-journal.ts'
import { controlOperation } from '../control-operation.ts'

const SHOWN_MAX = 1_000

/** A connection as the control plane shows it. */
export const ConnectionRecord = Type.Object(
  {
    connection: Type.Integer({ description: 'its number, as the journal has it' }),
    path: Type.String(),
    key: Nullable(Type.String({ description: 'access key' })),
    openedMs: Type.Integer({ description: 'session time, ms' }),
    lastMessageMs: Type.Integer({ description: 'of its client, session time, ms' }),
    closesMs: Type.Integer({ description: 'when it is closed without another, ms' }),
    queued: Type.Integer({ description: 'frames that wait for its client' }),
    sent: Type.Integer({ description: 'frames' }),
    discarded: Type.Integer({ description: 'frames that were dropped: too many waited' }),
    pendingBytes: Type.Integer({ description: 'sent and not taken by its client yet' }),
    streams: Type.Array(
      Type.Object({
        channel: Type.String(),
        subscription: Type.Record(Type.String(), Type.Unknown()),
        silentMs: Type.Integer({ description: 'since anything was sent, session time' }),
        sourceAgeMs: Nullable(
          Type.Integer({ description: 'since what it shows had an event; null of no state' }),
        ),
        stale: Type.Boolean({ description: 'whether that is too long, or a scenario says so' }),
      }),
    ),
  },
  { title: 'Connection' },
)

export const connectionList = controlOperation({
  id: 'connection.list',
  method: 'GET',
  path: '/sandboxes/:id/connections',
  title: 'The connections that are open, with what they follow',
  about: `Why a client sees nothing, or is closed soon. At most the first ${SHOWN_MAX} of them.`,
  data: Type.Array(ConnectionRecord),
  answer: (_, { sandbox }) => connectionFigures(sandbox()).slice(0, SHOWN_MAX),
})
