/** Descriptions of coins (seed/coin-profiles.json). */

import profiles from '../../../../seed/coin-profiles.json' with { type: 'json' }
import type { CoinProfile } from '../../../contract/records/coin.ts'
import type { Asset } from '../../rows/assets.ts'

/** A coin's profile, amounts in its unit; unknown fields are empty. */
export function profileOf({ key, show, cnName, enName, unit }: Asset): CoinProfile {
  const known = PROFILES[key] ?? EMPTY_PROFILE
  const distribution = known.distribution.map(([ico, foundation]) => ({ ico, foundation }))
  const { publishAmount } = known
  const issued = publishAmount && String(BigInt(publishAmount) / BigInt(unit))
  return { coin_key: key, show, cnName, enName, ...known, publishAmount: issued, distribution }
}

interface KnownProfile {
  describe: string
  whitePaper: string
  officialUrl: string
  /** Whole units as text; empty if unknown. */
  publishAmount: string
  /** Purpose and percentage. */
  distribution: [string, string][]
}

const EMPTY_PROFILE: KnownProfile = {
  describe: '',
  whitePaper: '',
  officialUrl: '',
  publishAmount: '',
  distribution: [],
}

const PROFILES = profiles as unknown as Record<string, KnownProfile>
