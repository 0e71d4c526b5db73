/** Builders' dexes of the venue. Their operators are invented; what they list is the tape's. */
import type { PerpDex } from '../../../../contract/records/asset-context.ts'
import { randomSource } from '../../../../random/random-source.ts'
import { perListing } from '../../../per-world.ts'

/** By name. */
export const perpDexsOf = perListing(({ listed, meta: { seed } }): PerpDex[] => {
  const names = new Set(listed.map(({ dex }) => dex).filter((dex) => dex !== ''))
  return [...names].sort().map((name) => {
    const address = (of: string) => `0x${randomSource(seed, `${of} of ${name}`).hex(40)}`
    const coins = listed.filter(({ dex }) => dex === name).map(({ coin }) => coin)
    return {
      name,
      fullName: name.toUpperCase(),
      deployer: address('deployer'),
      oracleUpdater: null,
      feeRecipient: address('fee recipient'),
      assetToStreamingOiCap: coins.map((coin) => [coin, OPEN_INTEREST_CAP]),
      subDeployers: [['setOracle', [address('oracle')]]],
      deployerFeeScale: '1.0',
      lastDeployerFeeScaleChangeTime: '1970-01-01T00:00:00',
      assetToFundingMultiplier: coins.map((coin) => [coin, '1.0']),
      assetToFundingInterestRate: [],
    }
  })
})

/** Dollars of open interest. */
const OPEN_INTEREST_CAP = '100000000.0'
