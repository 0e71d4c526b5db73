import { expect, test } from 'bun:test'
import { REQUIREMENTS } from '../src/conformance/requirements.ts'
import { ACTIVE_ACTIONS } from '../src/contract/actions.ts'
import { CHANNELS, OPERATIONS } from '../src/contract/index.ts'

const DECLARED = [...OPERATIONS, ...CHANNELS]

test('every requirement has an id of its own, a section and a sentence', () => {
  const ids = REQUIREMENTS.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  for (const { id, section, text } of REQUIREMENTS) {
    expect(id).toMatch(/^[a-z]\w*(\.\w+)+$/i)
    expect(section).not.toBe('')
    expect(text).toEndWith('.')
  }
})

test('no two requirements say the same', () => {
  const texts = REQUIREMENTS.map(({ text }) => text)
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
})

test('what is checked by derived cases is declared', () => {
  const ids = new Set(DECLARED.map(({ id }) => id))
  const of = REQUIREMENTS.flatMap(({ derived }) => derived?.of ?? [])
  expect(of.filter((id) => !ids.has(id))).toEqual([])
})

test('the action map says of each action what the declarations say', () => {
  for (const action of ACTIVE_ACTIONS) {
    const stated = REQUIREMENTS.find(({ id }) => id === `action.${action}`)
    const declared = DECLARED.filter(
      ({ access }) => access.kind === 'permission' && access.name === action,
    ).map(({ id }) => id)
    expect([...(stated?.derived?.of ?? [])].sort()).toEqual(declared.sort())
  }
})

test('each operation and channel of the contract is spoken of', () => {
  const text = REQUIREMENTS.flatMap(({ id, derived }) => [id, ...(derived?.of ?? [])]).join(' ')
  const missing = DECLARED.filter(({ id }) => !text.includes(id)).map(({ id }) => id)
  // Not of the contract: a sibling that public clients call.
  expect(missing).toEqual(['indicator.klines'])
})
