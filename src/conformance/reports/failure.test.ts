import { expect, test } from 'bun:test'
import { Conversation } from '../conversation.ts'
import { latestOf } from './failure.ts'

test('of what was said within the same moment, the last is the latest', () => {
  const conversation = new Conversation(() => 7)
  const socket = conversation.opens({ path: '/hl/ws' }, 'http://there')
  const lookup = conversation.asks({ path: '/hl/tickers' }, 'http://there')
  conversation.answered(lookup, { status: 200, contentType: '', text: '[]' })
  expect(latestOf(conversation.said)).toBe(lookup)
  conversation.logOf(socket).frame('target', '{}')
  expect(latestOf(conversation.said)).toBe(socket)
})
