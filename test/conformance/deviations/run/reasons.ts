/** Why some deviations survive. */

const REASONS: readonly [RegExp, string][] = [
  [
    /^unit\.(mix\.(fundcoTrust|stockMarket)|signal\.changes)\./,
    'no other answer says what it was a day before',
  ],
  [
    /^connection\..*(is never closed|closed after|another code|heartbeats do not keep)/,
    'it shows after half a minute or more: without a control plane a patience of 5 s is too short',
  ],
  [/twapId|builderFee/, 'nothing in the default world has it'],
]

/** The reason that is known; the first that fits. */
export const reasonFor = (id: string): string =>
  REASONS.find(([of]) => of.test(id))?.[1] ?? 'no case looks at it yet'
