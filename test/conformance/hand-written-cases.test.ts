import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { memoryTarget, runCase } from '../fixtures/memory-probe.ts'

const { target, transport } = await memoryTarget()

for (const one of HAND_WRITTEN_CASES)
  test(`${one.id}: ${one.title}`, async () => {
    expect(await runCase(target, transport, one)).toBe(null)
  })
