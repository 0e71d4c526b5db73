/** A scenario does not depend on the steps of the clock. */
import { expect, test } from 'bun:test'
import { scenarioNames } from '../../../src/sandbox/scenario/scenario-library.ts'
import { marketWithScenario, SCENARIOS_FOLDER } from './scenario-market.ts'

/** All output to clients in 48 seconds, moved in steps of so many ms. */
async function outputOf(name: string, stepMs: number): Promise<string[]> {
  const { open, ask, advance, cast } = await marketWithScenario(name)
  const fills = { type: 'userFills', user: cast().addresses.scalper }
  const sockets = [open(), open('/hl/ws/fills')].flatMap((one) => ('frames' in one ? one : []))
  for (const subscription of [
    { type: 'l2Book', coin: 'BTC' },
    { type: 'trades', coin: 'BTC' },
    fills,
  ])
    sockets[0]?.send(JSON.stringify({ method: 'subscribe', subscription }))
  const answers: string[] = []
  for (let round = 0; round < 4; round++) {
    for (const role of ['full', 'full', 'full', 'sub'] as const) {
      const { status, body } = ask('/hl/tickers', role)
      answers.push(`${status} ${body}`)
    }
    for (let left = 12_000; left > 0; left -= stepMs) await advance(Math.min(left, stepMs))
  }
  return [...answers, ...sockets.flatMap(({ frames, closeCode }) => [...frames, `${closeCode}`])]
}

test.each(scenarioNames(SCENARIOS_FOLDER))(
  '%s has the same output in one step and in many',
  async (name) => {
    const inOne = await outputOf(name, 12_000)
    expect(inOne.length).toBeGreaterThanOrEqual(16)
    expect(await outputOf(name, 700)).toEqual(inOne)
  },
)
