/** The console says of each built-in scenario in Chinese what its file says in English. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { CHINESE_SCENARIOS } from '../../src/console/views/trouble/chinese-scenarios.ts'

const FOLDER = path.join(import.meta.dir, '..', '..', 'scenarios')

test('each scenario has a title and guidance in Chinese, and there are no others', async () => {
  const titles: string[] = []
  for (const name of new Bun.Glob('*.yaml').scanSync(FOLDER)) {
    const text = await Bun.file(path.join(FOLDER, name)).text()
    titles.push((Bun.YAML.parse(text) as { title: string }).title)
  }
  expect(Object.keys(CHINESE_SCENARIOS).sort()).toEqual(titles.sort())
  for (const text of Object.values(CHINESE_SCENARIOS).flat())
    expect(text).toMatch(/\p{Script=Han}/u)
})
