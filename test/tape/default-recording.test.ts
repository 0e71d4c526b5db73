import { expect, test } from 'bun:test'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { synthesise, synthInstruments } from '../../src/tape/synth/synthesis.ts'
import type { EventDraft } from '../../src/tape/tape-event.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const RECORDING = path.join(PROJECT_FOLDER, 'recordings/default.tape.ndjson.zst')

test('the default recording matches its seed', async () => {
  const tape = await openTape(RECORDING)
  expect(tape.header.source).toBe('synth seed 1')
  expect(tape.header.instruments).toEqual(synthInstruments())
  const recorded = new Digest()
  for await (const batch of tape.events()) for (const event of batch) recorded.add(event)
  const made = new Digest()
  for (const event of synthesise({ seed: 1 })) made.add(event)
  expect(recorded.end()).toEqual(made.end())
})

test('the default recording is under two megabytes', async () => {
  expect((await stat(RECORDING)).size).toBeLessThan(2_000_000)
})

/** Counts and hashes events without their numbers. */
class Digest {
  private readonly hasher = new Bun.CryptoHasher('sha256')
  private events = 0

  add({ time, kind, coin, data }: EventDraft): void {
    this.hasher.update(`${JSON.stringify([time, kind, coin, data])}\n`)
    this.events++
  }

  end(): { events: number; sha256: string } {
    return { events: this.events, sha256: this.hasher.digest('hex') }
  }
}
