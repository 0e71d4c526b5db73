import type { Casting } from '../../sandbox/loaded-world.ts'

/** How far a casting is: `casting: 42 %`. */
export const castingText = ({ events, of }: Casting): string =>
  `casting: ${Math.floor((100 * events) / Math.max(1, of))} %`
