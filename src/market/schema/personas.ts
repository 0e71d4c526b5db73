/** Traders that every world has, so that there is somebody to ask for; what each is known by. */
export const PERSONAS = {
  star: 'Won exactly 70 % of the positions closed over 30 days, and is ahead.',
  whale: 'Holds positions worth millions, built by large orders, and closed others before.',
  marketMaker: 'Quotes both sides and is never a taker: earns in calm hours, loses in jumps.',
  overLeveraged: 'Holds a position whose liquidation price stays about 2 % from the mark price.',
  twapWorker: 'Works large orders in slices: some 130 of them over, one of them running.',
  liquidatedLastNight: 'Lost a position to a liquidation 8 to 12 hours ago, and stopped.',
  beginner: 'Closed three trades, one of them with a gain, and holds nothing.',
  empty: 'Has an address, and nothing else: no money, no order, no trade.',
  busiest:
    'A program with more than 2,000 fills, 2,000 orders, 1,000 filled orders, 2,000 completed ' +
    'trades, and a position of more than 1,000 executions.',
} as const

export type Persona = keyof typeof PERSONAS

export const PERSONA_NAMES = Object.keys(PERSONAS) as [Persona, ...Persona[]]
