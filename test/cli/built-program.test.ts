/** The built program: it starts its threads from beside itself, not from its sources. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { builtProgram } from '../../scripts/built-program.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

test('the built program contains no path of its sources', () => {
  // A folder of sources may lack its packages, as on a fresh clone.
  expect(Bun.spawnSync([...PROGRAM, '--version']).exitCode).toBe(0)
  const folder = path.dirname(builtProgram()?.main ?? '')
  const code = readdirSync(folder).filter((name) => name.endsWith('.js'))
  expect(code.sort()).toEqual(
    ['casting', 'conformance', 'growth', 'row', 'watchdog']
      .map((name) => `${name}-worker.js`)
      .toSpliced(3, 0, 'main.js'),
  )
  const naming = code.filter((name) =>
    readFileSync(path.join(folder, name), 'utf8').includes(path.join(PROJECT_FOLDER, 'src')),
  )
  expect(naming).toEqual([])
})
