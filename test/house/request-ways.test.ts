/** The ways of a request, a push, a market event and an advance stay short, and are documented. */
import { expect, test } from 'bun:test'
import { tracedWays, WAYS, waysChapter, writtenChapter } from '../../scripts/request-ways.ts'

const files = await tracedWays()

for (const { name, title, most } of WAYS)
  test(`${title} runs through at most ${most} files`, () => {
    const way = files.get(name) ?? []
    expect(way.length).toBeGreaterThan(20)
    expect(way.length, way.join('\n')).toBeLessThanOrEqual(most)
  })

test('CONTRIBUTING lists the files of each way; else run `bun run ways --write`', async () => {
  expect(await writtenChapter()).toBe(waysChapter(files))
})
