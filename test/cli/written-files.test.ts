/** Files that commands write beside their inputs. */
import { expect, test } from 'bun:test'
import { readFileSync, symlinkSync } from 'node:fs'
import { dispatch } from '../../src/server/commands/dispatch.ts'
import { EVENTS_OF_EVERY_KIND, userErrorOf, writeTape } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const TAPE = at('kinds.tape.ndjson')
await writeTape(TAPE, EVENTS_OF_EVERY_KIND)

const OVERWRITES = ' is the recording itself: name another file to be written'

test('a recording is not overwritten by the result made from it', async () => {
  const before = readFileSync(TAPE)
  symlinkSync(TAPE, at('link.tape.ndjson'))
  for (const flags of [
    ['--out', TAPE],
    ['--out', at('link.tape.ndjson')],
    ['--out', at('market'), '--history', TAPE],
  ])
    expect(await userErrorOf(() => dispatch(['tape', 'normalise', TAPE, ...flags]))).toEndWith(
      OVERWRITES,
    )
  expect(await userErrorOf(() => dispatch(['tape', 'import', TAPE, '--out', TAPE]))).toEndWith(
    OVERWRITES,
  )
  const conform = ['conform', '--recording', TAPE]
  for (const flag of [`--observe=${TAPE}`, `--report=json=${TAPE}`])
    expect(await userErrorOf(() => dispatch([...conform, flag]))).toEndWith(OVERWRITES)
  expect(readFileSync(TAPE)).toEqual(before)
})
