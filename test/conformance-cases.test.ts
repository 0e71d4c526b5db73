import { expect, test } from 'bun:test'
import { HAND_WRITTEN } from '../src/conformance/cases.ts'
import { probed, tried } from './probes.ts'

const { target, carrier } = await probed()

for (const one of HAND_WRITTEN)
  test(`${one.id}: ${one.title}`, async () => {
    expect(await tried(target, carrier, one)).toBe(null)
  })
