import { expect, test } from 'bun:test'
import {
  CHANNEL_EXEMPTIONS,
  CHANNEL_FAMILIES,
  channelCases,
} from '../../src/conformance/derived/channels.ts'
import { CHANNELS } from '../../src/contract/catalogue.ts'

const FAMILIES = Object.keys(CHANNEL_FAMILIES) as (keyof typeof CHANNEL_FAMILIES)[]

test('every channel is looked at in every way, or it is said why not', () => {
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

test('what is left out is of a channel and a way that there are', () => {
  const ids = CHANNELS.map(({ id }) => id)
  for (const [id, reasons] of Object.entries(CHANNEL_EXEMPTIONS)) {
    expect(ids).toContain(id)
    for (const family of Object.keys(reasons)) expect(FAMILIES).toContain(family as never)
  }
})

test('a channel whose states are sent again is looked at while nothing happens', () => {
  for (const { id, pushPolicy, dialect } of CHANNELS)
    if (dialect.name === 'official')
      expect([id, CHANNEL_EXEMPTIONS[id]?.stale === undefined]).toEqual([
        id,
        pushPolicy.stateOf !== undefined,
      ])
})
