/** Control calls about connections: list them, and wait for them. */

import { Nullable, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { connectionFigures } from '../../../sandbox/session/socket-journal.ts'
import { hubOf } from '../../../sandbox/session/subscription-hub.ts'
import { TimeoutError } from '../control-call.ts'
import { controlOperation } from '../control-operation.ts'

/** Less than the timeout of a test, so that the message says what is missing. */
const TIMEOUT_MS = 4_000

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))

export const awaitSettled = controlOperation({
  id: 'await',
  method: 'POST',
  path: '/sandboxes/:id/await',
  storesNothing: true,
  title: 'Wait for connections, subscriptions or empty queues',
  about:
    'Answers when the sandbox has at least this many connections and subscriptions, and at most ' +
    'this many frames wait in the longest queue. HTTP 408, with what is missing, if that takes ' +
    'too long; 409 if the sandbox is reset or dropped meanwhile. With this call a test needs no ' +
    'sleeps.',
  params: {
    body: Type.Object({
      connections: count('minimum number of sockets'),
      subscriptions: count('minimum number of subscriptions over all sockets'),
      queued: count('maximum number of frames in the longest queue'),
      timeoutMs: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 60_000,
          description: `longest wait, ms of the machine; ${TIMEOUT_MS} by default`,
        }),
      ),
    }),
  },
  examples: [{ name: 'until all frames are sent', body: { queued: 0 } }],
  data: Type.Object({
    connections: Type.Integer(),
    subscriptions: Type.Integer(),
    queued: Type.Integer(),
  }),
  async answer({ body }, { sandbox, pending, onClose, onInactive, checkWaiting }) {
    const found = sandbox()
    const hub = hubOf(found)
    const { connections, subscriptions, queued, timeoutMs = TIMEOUT_MS } = body
    if (connections === undefined && subscriptions === undefined && queued === undefined)
      throw new UserError('give at least one of connections, subscriptions and queued')
    const counts = () => ({
      connections: hub.sessions.size,
      subscriptions: hub.subscriptionCount,
      queued: hub.queuedCount,
    })
    const missing = () => {
      const now = counts()
      return [
        ...(now.connections < (connections ?? 0) ? [`connections are ${now.connections}`] : []),
        ...(now.subscriptions < (subscriptions ?? 0)
          ? [`subscriptions are ${now.subscriptions}`]
          : []),
        ...(now.queued > (queued ?? Number.POSITIVE_INFINITY) ? [`queued is ${now.queued}`] : []),
      ]
    }
    onClose(pending.enter('awaits'))
    const isMet = await new Promise<boolean>((resolve) => {
      if (missing().length === 0) return resolve(true)
      const end = (met: boolean) => {
        removeListener()
        cancel()
        resolve(met)
      }
      const removeListener = hub.onChange(() => missing().length === 0 && end(true))
      const cancel = found.systemClock.startTimer(timeoutMs, () => end(false))
      onInactive(() => end(false))
    })
    checkWaiting()
    if (!isMet) throw new TimeoutError(`not within ${timeoutMs} ms: ${missing().join(', ')}`)
    return counts()
  },
})

const SHOWN_MAX = 1_000

/** A connection as the control plane shows it. */
export const ConnectionRecord = Type.Object(
  {
    connection: Type.Integer({ description: 'its number in the journal' }),
    path: Type.String(),
    key: Nullable(Type.String({ description: 'access key' })),
    via: Nullable(Type.Literal('console'), {
      description: "console for the console's own; null for those of clients",
    }),
    openedMs: Type.Integer({ description: 'session time, ms' }),
    lastMessageMs: Type.Integer({ description: 'of its client, session time, ms' }),
    closesMs: Type.Integer({ description: 'when it is closed without another message, ms' }),
    queued: Type.Integer({ description: 'frames that wait for its client' }),
    sent: Type.Integer({ description: 'frames' }),
    discarded: Type.Integer({ description: 'frames that were dropped: too many waited' }),
    pendingBytes: Type.Integer({ description: 'sent and not taken by its client yet' }),
    streams: Type.Array(
      Type.Object({
        channel: Type.String(),
        subscription: Type.Record(Type.String(), Type.Unknown()),
        silentMs: Type.Integer({ description: 'since the last frame, session time' }),
        sourceAgeMs: Nullable(
          Type.Integer({ description: 'since the last event of its data; null without a state' }),
        ),
        stale: Type.Boolean({ description: 'whether the data is stale, or a rule marks it so' }),
      }),
    ),
  },
  { title: 'Connection' },
)

export const connectionList = controlOperation({
  id: 'connection.list',
  method: 'GET',
  path: '/sandboxes/:id/connections',
  title: 'The open connections, with their streams',
  about: `Why a client sees nothing, or is closed soon. At most the first ${SHOWN_MAX} of them.`,
  data: Type.Array(ConnectionRecord),
  answer: (_, { sandbox }) => connectionFigures(sandbox()).slice(0, SHOWN_MAX),
})
