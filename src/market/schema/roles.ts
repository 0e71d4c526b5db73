/** What a trader does in the market. `named` traders come from the tape's own addresses. */
export const ROLES = [
  'maker',
  'whale',
  'scalper',
  'twap',
  'swing',
  'builderUser',
  'quiet',
  'liquidated',
  'named',
] as const
export type Role = (typeof ROLES)[number]
