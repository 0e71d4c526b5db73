/** Stands between clients and a service on a port of its own, and records what passes. */
import { portFailure } from '../platform/port.ts'
import { UserError } from '../user-error.ts'
import type { KeepingBudget } from './http/kept-bytes.ts'
import { ProxiedConnection } from './proxied-connection.ts'
import type { ProxyContext } from './proxy-context.ts'
import { Recording } from './recording.ts'
import type { RecordingSettings } from './recording-settings.ts'
import { type SigningKey, targetSigner } from './signed-target.ts'
import { Wire } from './tcp/wire.ts'
import type { UpstreamAddress } from './upstream-address.ts'

export interface RecorderSettings extends RecordingSettings {
  address: UpstreamAddress
  host: string
  /** 0 for any that is free. */
  port: number
  timeoutMs: number
  /** With what requests are signed; null when clients do that. */
  signWith: SigningKey | null
}

export interface Recorder {
  port: number
  /** Events so far, in how many files, and how many were lost. */
  counts(): Recording['counts']
  /** Ends all connections and completes the recording. */
  stop(): Promise<void>
}

/** The longest body and the longest message that are kept, and what may be held in all. */
const KEPT_MAX = 8 * 1024 * 1024
const HELD_MAX = 256 * 1024 * 1024

interface Client {
  wire: Wire
  connection: ProxiedConnection
}

/** Begins to record; a UserError says why that cannot be. */
export async function startRecorder(settings: RecorderSettings): Promise<Recorder> {
  const recording = await Recording.begin(settings)
  const context = contextOf(settings, recording)
  const clients = new Set<Client>()
  try {
    const listener = Bun.listen<Client>({
      hostname: settings.host,
      port: settings.port,
      socket: {
        open(socket) {
          socket.setNoDelay(true)
          const wire = new Wire(socket)
          socket.data = { wire, connection: new ProxiedConnection(wire, context) }
          clients.add(socket.data)
        },
        data: ({ data }, bytes) => data.connection.clientData(bytes),
        drain: ({ data }) => data.wire.drain(),
        close({ data }) {
          clients.delete(data)
          data.wire.closed()
          data.connection.clientClosed()
        },
      },
    })
    return {
      port: listener.port,
      counts: () => recording.counts,
      async stop() {
        listener.stop()
        for (const { connection } of [...clients]) connection.stop()
        await recording.end()
      },
    }
  } catch (error) {
    await recording.discard()
    throw new UserError(portFailure(error, settings))
  }
}

function contextOf(settings: RecorderSettings, recording: Recording): ProxyContext {
  const { address, redaction, clock, timeoutMs, signWith, say } = settings
  const budget: KeepingBudget = { oneMax: KEPT_MAX, left: HELD_MAX }
  let [connections, said] = [0, '']
  return {
    address,
    recording,
    redaction,
    budget,
    clock,
    timeoutMs,
    sign: signWith === null ? null : targetSigner(signWith, clock),
    complain(line) {
      if (line !== said) say(line)
      said = line
    },
    nextConnection: () => ++connections,
  }
}
