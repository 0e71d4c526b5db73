/** Where there are many ways to be wrong, each place has some of them, the next one others. */

/** So many of these, others from one `at` to the next. */
export const takingTurns = <T>(ways: readonly T[], at: number, count: number): T[] =>
  Array.from({ length: Math.min(count, ways.length) }, (_, index) => {
    return ways[(at * count + index) % ways.length] as T
  })

/** Which turn it is by an id: the same one whatever is declared besides. */
export const turnOf = (id: string): number =>
  [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
