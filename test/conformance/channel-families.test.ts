import { expect, test } from 'bun:test'
import {
  CHANNEL_EXEMPTIONS,
  CHANNEL_FAMILIES,
  channelCases,
} from '../../src/conformance/derived/channels.ts'
import { CHANNELS } from '../../src/contract/catalogue.ts'

const FAMILIES = Object.keys(CHANNEL_FAMILIES) as (keyof typeof CHANNEL_FAMILIES)[]

test('every channel is checked in every way, or has a reason not to be', () => {
  for (const channel of CHANNELS) {
    const ids = channelCases(channel).map(({ id }) => id)
    for (const family of FAMILIES) {
      const why = CHANNEL_EXEMPTIONS[channel.id]?.[family]
      const isLookedAt = ids.includes(`channel.${channel.id}.${family}`)
      expect([channel.id, family, isLookedAt]).toEqual([channel.id, family, why === undefined])
      if (why !== undefined) expect(why.split(' ').length).toBeGreaterThan(4)
    }
    expect(ids).toContain(`channel.${channel.id}.permission`)
  }
})

test('exemptions name existing channels and ways', () => {
  const ids = CHANNELS.map(({ id }) => id)
  for (const [id, reasons] of Object.entries(CHANNEL_EXEMPTIONS)) {
    expect(ids).toContain(id)
    for (const family of Object.keys(reasons)) expect(FAMILIES).toContain(family as never)
  }
})

test('a channel with repeated states is checked while nothing happens', () => {
  for (const { id, pushPolicy, dialect } of CHANNELS)
    if (dialect.name === 'official')
      expect([id, CHANNEL_EXEMPTIONS[id]?.stale === undefined]).toEqual([
        id,
        pushPolicy.stateOf !== undefined,
      ])
})
