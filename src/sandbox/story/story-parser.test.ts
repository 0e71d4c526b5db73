import { expect, test } from 'bun:test'
import { UserError } from '../../platform/user-error.ts'
import { storyLibrary } from './story-library.ts'
import { parseStoryYaml } from './story-parser.ts'

interface Step {
  caption: { en: string }
  until?: 'none' | { figure: string }
}

const parsed = (text: string) => parseStoryYaml('mine', 'mine.yaml', text, ['calm', 'stale-book'])

test('defaults are those of the step before: view, market, language', () => {
  const { coin, title, steps } = parsed(
    [
      'title: Two steps',
      'steps:',
      '  - {caption: {en: One, zh: 一}, show: book, wait: 90s, do: [{scenario: stale-book}],',
      '     until: {figure: changePct, below: -2, within: 30s}}',
      '  - caption: Two',
    ].join('\n'),
  )
  expect([coin, title]).toEqual(['BTC', { en: 'Two steps', zh: 'Two steps' }])
  expect(steps).toEqual([
    {
      caption: { en: 'One', zh: '一' },
      show: 'book',
      coin: null,
      do: [{ scenario: 'stale-book' }],
      until: { figure: 'changePct', of: null, above: null, below: -2, withinMs: 30_000 },
      waitMs: 90_000,
    },
    {
      caption: { en: 'Two', zh: 'Two' },
      show: 'book',
      coin: null,
      do: [],
      until: null,
      waitMs: null,
    },
  ])
})

test('a story shows a listed coin from the step on that says so', () => {
  const text = 'title: T\nsteps: [{caption: A}, {caption: B, coin: newcomer}, {caption: C}]'
  expect(parsed(text).steps.map(({ coin }) => coin)).toEqual([null, 'newcomer', 'newcomer'])
})

test('all errors are reported at once, with file, line and field', () => {
  const text = [
    'title: Wrong',
    'steps:',
    '  - caption: One',
    '    do:',
    '      - {scenario: stale-bok}',
    '      - {calm: true, speed: 2}',
    '      - {market: {kind: move, coin: BTC}}',
  ].join('\n')
  expect(() => parsed(text)).toThrow(UserError)
  expect(() => parsed(text)).toThrow(
    [
      'mine.yaml:5: steps.0.do.0.scenario is wrong: ' +
        'there is no scenario "stale-bok", did you mean "stale-book"?',
      'mine.yaml:6: steps.0.do.1 must be one of market, scenario, calm, speed, not 2 of them',
      'mine.yaml:7: steps.0.do.2.market.pct is missing',
    ].join('\n'),
  )
  expect(() => parsed('title: T\nsteps:\n  - {caption: {en: C, fr: D}}')).toThrow(
    'mine.yaml:3: steps.0.caption.fr is wrong: there is no "fr"; use en, zh',
  )
  const until = (text: string) => parsed(`title: T\nsteps:\n  - {caption: C, until: {${text}}}`)
  expect(() => until('figure: changePct')).toThrow('steps.0.until needs a bound')
  expect(() => until('figure: mood, above: 1')).toThrow('steps.0.until.figure')
  expect(() => parsed('title: T\nsteps:\n  - {caption: C, wait: soon}')).toThrow(
    'mine.yaml:3: steps.0.wait must be a span such as 10s, 500ms or 5m',
  )
})

test('the included stories can be played, in two languages', () => {
  const { stories, flaws } = storyLibrary(['scenarios/stories'], () => ['stale-book'])()
  expect(flaws).toEqual([])
  expect(stories.map(({ name }) => name)).toEqual([
    ...['calm', 'cascade', 'listing', 'squeeze', 'stale-book', 'tenth-of-october', 'whale'],
  ])
  for (const { steps } of stories)
    for (const { caption } of steps) expect(caption.zh).not.toBe(caption.en)
})

test('each included caption has a condition, or its file says that it needs none', async () => {
  const without: string[] = []
  for (const file of new Bun.Glob('scenarios/stories/*.yaml').scanSync()) {
    const { steps } = Bun.YAML.parse(await Bun.file(file).text()) as { steps: Step[] }
    for (const { caption, until } of steps) {
      if (until === undefined) without.push(`${file}: ${caption.en}`)
      const isOfSpread = /spread/i.test(caption.en)
      if (isOfSpread && (typeof until !== 'object' || until.figure !== 'spreadBp'))
        without.push(`${file}: ${caption.en}: the spread is not measured`)
    }
  }
  expect(without).toEqual([])
})
