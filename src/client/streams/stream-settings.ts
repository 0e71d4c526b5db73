/** What all streams of a client have together, out of its settings. */
import type { SystemClock } from '../../clock/system-clock.ts'
import type { Checker } from '../checking/checker.ts'
import type { ChannelName } from '../contract/channels.ts'
import type { ClockSkew } from '../requests/clock-skew.ts'
import type { OperationCaller } from '../requests/operation-caller.ts'
import type { ClientSettings } from '../settings.ts'
import type { StreamSettings } from './stream.ts'

interface ClientParts {
  caller: OperationCaller
  checker: Checker | null
  systemClock: SystemClock
  skew: ClockSkew
}

export function streamSettings(
  settings: ClientSettings,
  { caller, checker, systemClock, skew }: ClientParts,
): StreamSettings {
  const { checksPushes = true, backfills = true, auditsTrades = false } = settings
  const { silentAfterMs, onStreamEvent } = settings
  // The market's time need not be the machine's: it is that of the newest push, and goes on.
  let latest: { serviceMs: number; monotonicMs: number } | null = null
  return {
    systemClock,
    checker: checksPushes ? checker : null,
    ask: backfills ? (operation, ...rest) => caller.call(operation, ...rest) : null,
    auditor: auditsTrades ? checker : null,
    silentAfterMs,
    serviceMs: () =>
      latest === null
        ? systemClock.nowMs() + skew.offsetMs
        : latest.serviceMs + systemClock.monotonicMs() - latest.monotonicMs,
    onServiceMs(serviceMs) {
      if (latest === null || serviceMs > latest.serviceMs)
        latest = { serviceMs, monotonicMs: systemClock.monotonicMs() }
    },
    onEvent: (stream, event) => {
      const { channel, fields } = stream
      onStreamEvent?.(event, { channel: channel.id as ChannelName, subscription: fields })
    },
  }
}
