/** How many positions were open at an instant, by coin and direction. */
import { lastUpTo } from '../../books/shelf.ts'
import { perWorld } from '../per-world.ts'

export type Direction = 'long' | 'short'

/** Counts the positions of an instrument's id that were open then. */
export const openCountsOf = perWorld(({ db }) => {
  const piles = new Map<string, Pile>()
  const rows = db.query('select instrument, direction, openMs, closeMs from position').values()
  for (const [instrument, direction, openMs, closeMs] of rows as Values[]) {
    const key = `${instrument}/${direction}`
    const pile = piles.get(key) ?? { opened: [], closed: [] }
    piles.set(key, pile)
    pile.opened.push(openMs)
    if (closeMs !== null) pile.closed.push(closeMs)
  }
  const lists = new Map([...piles].map(([key, pile]) => [key, sorted(pile)]))
  return (instrument: number, direction: Direction, atMs: number): number => {
    const list = lists.get(`${instrument}/${direction}`)
    // Closed at the very instant is closed.
    return list ? lastUpTo(list.opened, atMs) - lastUpTo(list.closed, atMs) : 0
  }
})

type Values = [instrument: number, direction: Direction, openMs: number, closeMs: number | null]

interface Pile {
  opened: number[]
  closed: number[]
}

const sorted = ({ opened, closed }: Pile) => ({
  opened: Float64Array.from(opened).sort(),
  closed: Float64Array.from(closed).sort(),
})
