/** Clients see the default world as a realistic market, within wide bounds. */
import { expect, test } from 'bun:test'
import { FIGURE_GROUPS } from '../../bench/realism/figures/all-figures.ts'
import { isWithin } from '../../bench/realism/figures/figure.ts'
import { observationsOf } from '../../bench/realism/readings/world-observations.ts'
import { loadedWorld } from '../fixtures/default-recording.ts'

const seen = observationsOf(await loadedWorld())

for (const { title, figures } of FIGURE_GROUPS)
  test(`${title.toLowerCase()}: every statistic is within its bounds`, () => {
    const values = figures.map(({ id, held, of }) => ({ id, value: of(seen), held }))
    expect(values.filter(({ value, held }) => !isWithin(value, held))).toEqual([])
  })
