/** What the flags say about a recording that is served back. */

import { hostClock } from '../../../clock/system-clock.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { SandboxOptions } from '../../../sandbox/sandbox-config.ts'
import { signingKey, targetSigner } from '../../../tape/recorder/signed-target.ts'
import { upstreamAddress } from '../../../tape/recorder/upstream-address.ts'
import { type Upstream, upstreamAt } from '../../../tape/replay/upstream.ts'
import type { FlagValues } from '../command.ts'
import type { SERVE } from './declaration.ts'

type Flags = Pick<FlagValues<typeof SERVE.flags>, 'replay' | 'miss' | 'upstream' | 'signWith'>

/** The options of sandboxes; flags that need one another are a UserError. */
export function replayOptions({
  replay,
  miss,
  upstream,
  signWith,
}: Flags): Pick<SandboxOptions, 'replay' | 'miss'> {
  if (replay === undefined && (miss !== 'world' || upstream !== undefined))
    throw new UserError('--miss and --upstream need --replay RECORDING')
  if (miss === 'upstream' && upstream === undefined)
    throw new UserError('--miss upstream needs --upstream URL, the service to ask')
  if (signWith !== undefined && upstream === undefined)
    throw new UserError('--sign-with needs --upstream URL, the service of that key')
  return replay === undefined ? {} : { replay, miss }
}

/** The service that is asked for what was not recorded; null where none is named. */
export function replayUpstream({
  upstream,
  signWith,
}: Pick<Flags, 'upstream' | 'signWith'>): Upstream | null {
  if (upstream === undefined) return null
  const { isTls, host, prefix } = upstreamAddress(upstream)
  const sign = signWith === undefined ? null : targetSigner(signingKey(signWith), hostClock)
  return upstreamAt(`${isTls ? 'https' : 'http'}://${host}${prefix}`, sign)
}
