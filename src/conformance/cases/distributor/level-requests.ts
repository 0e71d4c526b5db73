/** Levels of the distributor, and the care that a case leaves them as it found them. */

import { assertObject, assertSame, assertSuccess } from '../../assertions.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeExchange } from '../../probe-request.ts'
import { dataOf } from '../../response-reading.ts'

/** Levels that no customer of the target has. */
export const [OWN_LEVEL, OTHER_LEVEL] = ['conformance-check', 'conformance-check-2']

const pathOf = (name: string) => `/distributor/levels/${encodeURIComponent(name)}`

export const putLevel = (probe: Probe, name: string, body: unknown): Promise<ProbeExchange> =>
  probe.request({ method: 'PUT', path: pathOf(name), body, signedBy: 'partner' })

export const deleteLevel = (probe: Probe, name: string): Promise<ProbeExchange> =>
  probe.request({ method: 'DELETE', path: pathOf(name), signedBy: 'partner' })

export const askLevel = (probe: Probe, name: string): Promise<ProbeExchange> =>
  probe.request({ path: pathOf(name), signedBy: 'partner' })

/** A level as GET answers it. */
export async function levelOf(probe: Probe, name: string): Promise<JsonObject> {
  const exchange = await askLevel(probe, name)
  const data = isJsonObject(exchange.json) ? exchange.json.data : undefined
  assertSuccess(probe, exchange, `the level ${name} is answered`)
  assertObject(probe, data, `the level ${name} is an object`)
  return data
}

export async function levelNames(probe: Probe): Promise<string[]> {
  const data = await dataOf(probe, { path: '/distributor/levels', signedBy: 'partner' })
  const isNames = Array.isArray(data) && data.every((name) => typeof name === 'string')
  probe.assert(isNames, 'the levels are a list of names', {
    expected: 'a list of texts',
    found: data ?? null,
  })
  return data
}

/** The body of a level that grants these actions, with limits that bar nobody. */
export const levelWith = (actions: readonly string[], limits: JsonObject = {}) => ({
  request_limits: {
    max_time_range: 2_592_000,
    max_request: 1_000_000,
    request_rate_limit: 6_000,
    ...limits,
  },
  permissions: [{ resource_type: 'perpdex', actions }],
})

/** The level of the sub key: the one without whose permissions it may do nothing. */
export async function levelOfSub(probe: Probe): Promise<string> {
  for (const name of await levelNames(probe)) {
    if (!JSON.stringify(await levelOf(probe, name)).includes('HL_TICKERS')) continue
    let isIt = false
    await changed(probe, name, async (put) => {
      await put(levelWith([]))
      isIt = (await probe.request({ path: '/hl/tickers', signedBy: 'sub' })).status === 403
    })
    if (isIt) return name
  }
  probe.skip('the level of the sub key is none of those that the distributor lists')
}

/** Lets a level be changed and puts it back, whatever happens. */
export async function changed(
  probe: Probe,
  name: string,
  use: (put: (body: unknown) => Promise<void>, was: JsonObject) => Promise<void>,
): Promise<void> {
  const was = await levelOf(probe, name)
  try {
    await use(async (body) => {
      assertSuccess(probe, await putLevel(probe, name, body), `the level ${name} is replaced`)
    }, was)
  } finally {
    await putLevel(probe, name, was)
  }
  assertSame(probe, await levelOf(probe, name), was, `the level ${name} is as it was before`)
}
