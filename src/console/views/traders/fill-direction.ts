import { say } from './words.ts'

const DIRECTIONS: Readonly<Record<string, Parameters<typeof say>[0]>> = {
  'Open Long': 'openLong',
  'Open Short': 'openShort',
  'Close Long': 'closeLong',
  'Close Short': 'closeShort',
  Buy: 'buy',
  Sell: 'sell',
}

/** What a fill did to its position, which the venue words in English. */
export function directionText(dir: string): string {
  const key = DIRECTIONS[dir]
  return key === undefined ? dir : say(key)
}
