/** scenarios/schema.json matches the reader of scenarios; else run `bun run generate`. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { scenarioSchema } from '../../scripts/scenario-schema.ts'
import { parseScenario } from '../../src/sandbox/scenario/scenario-parser.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const FOLDER = path.join(PROJECT_FOLDER, 'scenarios')
const schema = JSON.parse(JSON.stringify(scenarioSchema()))
const check = new Ajv({ strict: false }).compile(schema)

test('scenarios/schema.json is generated', () => {
  expect(JSON.parse(readFileSync(path.join(FOLDER, 'schema.json'), 'utf8'))).toEqual(schema)
})

test.each(readdirSync(FOLDER).filter((file) => file.endsWith('.yaml')))('it takes %s', (file) => {
  const given = parse(readFileSync(path.join(FOLDER, file), 'utf8'))
  expect([check(given), check.errors]).toEqual([true, null])
})

const ofRule = (rule: object) => ({ title: 'Mine', rules: [rule] })

test.each([
  {},
  { rules: [] },
  { title: 'Mine', rules: 7 },
  { title: 'Mine', rules: [], questions: { nonce: 'x' } },
  { title: 'Mine', rules: [], questions: { 'nonce-reuse': 'perhaps' } },
  { title: 'Mine', rules: [], market: [{ at: '5s', event: { kind: 'rain' } }] },
  { title: 'Mine', rules: [], market: [{ at: 'soon', event: { kind: 'halt', forS: 5 } }] },
  ofRule({ do: 'sulk' }),
  ofRule({ do: 'delay' }),
  ofRule({ do: { delay: { ms: 'soon' } } }),
  ofRule({ do: { silence: {}, freeze: {} } }),
  ofRule({ do: { corrupt: { as: 'xml' } } }),
  ofRule({ do: 'silence', colour: 'red' }),
  ofRule({ do: 'silence', every: 'soon' }),
  ofRule({ do: 'silence', on: { channel: 'l2Boook' } }),
  ofRule({ do: 'silence', on: { coin: 5 } }),
  ofRule({ do: 'empty', on: { operation: 'perpdex.tickrs' } }),
  ofRule({ do: 'truncate', on: { refused: 'signatur' } }),
  ofRule({ do: 'empty', on: { probability: 2 } }),
])('the schema refuses what the reader refuses: %j', (given) => {
  expect(() => parseScenario(given)).toThrow()
  expect(check(given)).toBe(false)
})
