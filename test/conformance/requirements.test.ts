import { expect, test } from 'bun:test'
import path from 'node:path'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { REQUIREMENTS, requirementsOf } from '../../src/conformance/requirements.ts'
import { requirementsPage } from '../../src/conformance/requirements-page.ts'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

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

test('no two requirements are equal', () => {
  const texts = REQUIREMENTS.map(({ text }) => text)
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
})

test('subjects of derived cases are declared', () => {
  const ids = new Set(DECLARED.map(({ id }) => id))
  const of = REQUIREMENTS.flatMap(({ derived }) => derived?.of ?? [])
  expect(of.filter((id) => !ids.has(id))).toEqual([])
})

test('requirements of the action map match the declarations', () => {
  for (const action of ACTIVE_ACTIONS) {
    const stated = REQUIREMENTS.find(({ id }) => id === `action.${action}`)
    const declared = DECLARED.filter(
      ({ access }) => access.kind === 'permission' && access.name === action,
    ).map(({ id }) => id)
    expect([...(stated?.derived?.of ?? [])].sort()).toEqual(declared.sort())
  }
})

test('each operation and channel of the contract has a requirement', () => {
  const text = REQUIREMENTS.flatMap(({ id, derived }) => [id, ...(derived?.of ?? [])]).join(' ')
  const missing = DECLARED.filter(({ id }) => !text.includes(id)).map(({ id }) => id)
  // Not in the contract: a related operation that public clients call.
  expect(missing).toEqual(['indicator.klines'])
})

const ALL = [...DERIVED_CASES, ...HAND_WRITTEN_CASES]

test('every requirement is checked by a case', () => {
  const checked = new Set(ALL.flatMap(({ checks }) => checks))
  const open = REQUIREMENTS.filter(({ id }) => !checked.has(id))
  expect(open.map(({ id }) => id)).toEqual([])
})

test('derived cases check the requirements of each operation and channel', () => {
  const missing = REQUIREMENTS.flatMap(({ id, derived }) =>
    (derived?.of ?? [])
      .filter((of) => !ALL.some((one) => one.checks.includes(id) && one.id.includes(of)))
      .map((of) => `${id} of ${of}`),
  )
  expect(missing).toEqual([])
})

test('cases name existing requirements, and each checks something', () => {
  const known = new Set(REQUIREMENTS.map(({ id }) => id))
  for (const { id, checks } of ALL)
    expect([id, checks.filter((name) => !known.has(name))]).toEqual([id, []])
  for (const { id, checks } of HAND_WRITTEN_CASES) expect([id, checks.length]).not.toEqual([id, 0])
})

test('cases have unique ids, and titles that state the requirement', () => {
  const ids = HAND_WRITTEN_CASES.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  const titles = HAND_WRITTEN_CASES.map(({ title }) => title)
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  for (const { id } of HAND_WRITTEN_CASES)
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+$/)
})

test('a derived case finds its requirements by operation and aspect', () => {
  expect(requirementsOf('perpdex.fillsOfAddress', 'limits')).toEqual(['limit.fills'])
  expect(requirementsOf('futures.latestDepth', 'access')).toEqual(['permission.LATEST_DEPTH'])
  expect(requirementsOf('perpdex.tickers', 'values')).toEqual([])
})

test('docs/requirements.md is up to date; else run `bun run generate`', async () => {
  const file = path.join(PROJECT_FOLDER, 'docs', 'requirements.md')
  expect(await Bun.file(file).text()).toBe(requirementsPage())
})
