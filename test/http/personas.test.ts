/** The description of personas in `cast` is true at every endpoint, in every world. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PERSONA_NAMES, PERSONAS, type Persona } from '../../src/market/schema/schema.ts'
import { cutTape } from '../../src/tape/cut.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { registryOn } from '../fixtures/default-recording.ts'
import { type FormRecording, recordingInForm } from '../fixtures/made-recordings.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { marketOf, type RequestedMarket, requestedMarket } from '../fixtures/requested-market.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { isTrueOf } from './personas/truths.ts'

const DOCUMENT = readFileSync(path.join(PROJECT_FOLDER, 'docs', 'world.md'), 'utf8')
const at = temporaryFolder()
const RECORDING = path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst')
const NATIVE = recordingInForm('venue-native')
const USDM = recordingInForm('usdm')

/** A minute and a half of some coins, cast with another seed. */
async function partOfDefault(...coins: string[]): Promise<RequestedMarket> {
  const out = at(`${coins.length}.tape.ndjson`)
  const { header } = await openTape(RECORDING)
  const fromMs = header.startMs + 4 * 60_000
  await cutTape(RECORDING, out, { fromMs, toMs: fromMs + 90_000, coins })
  return marketOf(await registryOn(out, 2))
}

/** No coin allows a leverage at which so thin a margin is enough. */
const steadyCoins = () => partOfDefault('SOL', 'kPEPE', 'xyz:TSLA', 'PURR/USDC')

const imported = (source: FormRecording, name: string) => async () => {
  const out = at(`${name}.tape.ndjson`)
  await importTape([await source.file(at(''))], out)
  return marketOf(await registryOn(out, 3))
}

const WORLDS: [name: string, make: () => Promise<RequestedMarket>][] = [
  ['the default world', requestedMarket],
  ['a part of it, at another seed', steadyCoins],
  [NATIVE.about, imported(NATIVE, 'native')],
  [USDM.about, imported(USDM, 'usdm')],
]

for (const [name, make] of WORLDS)
  describe(name, () => {
    let market: RequestedMarket
    beforeAll(async () => {
      market = await make()
    })

    test('cast names every persona, with the address and the sentence of the document', () => {
      const { personas, addresses } = market.cast
      expect(Object.keys(personas)).toEqual(PERSONA_NAMES)
      if (personas.whale) expect(addresses.whale).toBe(personas.whale.address)
      for (const key of PERSONA_NAMES) {
        const { address, about } = personas[key] ?? {}
        expect(about).toBe(PERSONAS[key])
        expect(DOCUMENT).toContain(`| \`${key}\` | \`${address}\` | ${about} |`)
      }
    })

    test.each(PERSONA_NAMES)('%s', (key: Persona) => isTrueOf(key, market))
  })

test('without a perpetual of the main dex there is an empty account only', async () => {
  const { cast } = await partOfDefault('xyz:TSLA', 'PURR/USDC')
  const { empty, ...others } = cast.personas
  expect(empty?.about).toBe(PERSONAS.empty)
  expect(Object.values(others)).toEqual(Array(PERSONA_NAMES.length - 1).fill(null))
})
