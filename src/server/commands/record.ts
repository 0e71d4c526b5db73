/** `tapewright record`: a recorder on a port, in front of a service. */

import { hostClock } from '../../clock/system-clock.ts'
import { controlToken } from '../../platform/environment.ts'
import { portOrigin } from '../../platform/port.ts'
import { VERSION } from '../../platform/version.ts'
import { openFileSink } from '../../tape/recorder/file/file-sink.ts'
import { startRecorder } from '../../tape/recorder/recorder.ts'
import { Redaction } from '../../tape/recorder/redaction/redaction.ts'
import { signingKey, upstreamAddress } from '../../tape/recorder/upstream-address.ts'
import type { FlagValues, Run } from './command.ts'
import type { RECORD } from './record/declaration.ts'
import { endSignal } from './serve/ending.ts'
import { writeLine } from './terminal.ts'

/** Records until a signal ends it; code 1 when part of the traffic is not in the file. */
export const record: Run<typeof RECORD> = async ({ flags }) => {
  const recorder = await startRecorder(settingsOf(flags))
  const { host, upstream, out } = flags
  const origin = portOrigin(host, recorder.port)
  console.log(`tapewright recording ${origin} -> ${upstream} into ${out}`)
  const signal = await endSignal(false)
  await recorder.stop()
  const { events, lost, files } = recorder.counts()
  writeLine(
    `tapewright: ${signal}: ${events} events in ${files} ${files === 1 ? 'file' : 'files'}` +
      (lost === 0 ? '' : `, ${lost} lost`),
  )
  return lost === 0 ? 0 : 1
}

function settingsOf(flags: FlagValues<typeof RECORD.flags>) {
  const { upstream, out, host, port, redact, timeout, rotateSize, rotateEvery } = flags
  const signWith = flags.signWith === undefined ? null : signingKey(flags.signWith)
  const token = controlToken()
  const secrets = [
    ...(signWith === null ? [] : [signWith.accessKey, signWith.secretKey]),
    ...(token === null ? [] : [token]),
  ]
  return {
    path: out,
    source: `recorded from ${upstream} by tapewright ${VERSION}`,
    address: upstreamAddress(upstream),
    host,
    port,
    signWith,
    timeoutMs: timeout,
    rotation: {
      ...(rotateSize === undefined ? {} : { sizeBytes: rotateSize * 1_000_000 }),
      ...(rotateEvery === undefined ? {} : { everyMs: rotateEvery * 60_000 }),
    },
    redaction: new Redaction({ fields: redact, secrets }),
    clock: hostClock,
    openSink: openFileSink,
    say: (line: string) => writeLine(`tapewright: ${line}`),
  }
}
