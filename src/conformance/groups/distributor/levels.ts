/** Levels of a distributor: life cycle, and access of their keys. */

import { type EffectTable, someDistributorLevels } from '../../effects/effect.ts'
import { differs } from '../../effects/selection.ts'
import type { Case, Probe } from '../../probe.ts'
import type { ProbeExchange } from '../../probe-request.ts'
import {
  assertList,
  assertObject,
  assertSame,
  assertSuccess,
  bodyOf,
  dataOf,
  isJsonObject,
  isSameJson,
  isSuccess,
  type JsonObject,
} from '../../responses.ts'

/** Life cycle of a level (the service's documentation, Distributor management; States). */
export const LEVEL_CASES: readonly Case[] = [
  {
    id: 'distributor.levels.life',
    title: 'a level is made and replaced by PUT, read by GET and removed by DELETE',
    checks: [
      ...['state.level.made', 'state.level.replaced', 'state.level.deleted'],
      ...['operation.distributor.deleteLevel', 'distributor.rule.noNewActions'],
      ...['version.newActions', 'level.permissions'],
    ],
    needs: ['partner'],
    exclusive: true,
    run: async (probe: Probe) => {
      const names = await unused(probe)
      try {
        for (const level of [levelWith(['HL_TICKERS'], LIMITS), levelWith(['HL_FILLS'])]) {
          assertSuccess(probe, await putLevel(probe, OWN_LEVEL, level), 'a valid PUT is accepted')
          const now = await levelNames(probe)
          probe.assert(
            isSameJson([...now].sort(), [...names, OWN_LEVEL].sort()),
            'it is listed once',
            now,
          )
          const found = await levelOf(probe, OWN_LEVEL)
          assertSame(probe, found, level, 'GET answers exactly what was PUT')
        }
        const deleted = bodyOf(probe, await deleteLevel(probe, OWN_LEVEL))
        assertSame(probe, deleted.success, true, 'DELETE is answered with success true')
        const left = (await levelNames(probe)).filter((name) => name === OWN_LEVEL)
        assertSame(probe, left, [], 'it is listed no more')
        const absent = await askLevel(probe, OWN_LEVEL)
        probe.assert(!isSuccess(absent), 'it is answered no more', absent)
      } finally {
        await deleteLevel(probe, OWN_LEVEL)
      }
    },
  },
  {
    id: 'distributor.levels.apart',
    title: 'a level is created, read and removed by its name, independent of other levels',
    checks: ['state.level.made', 'state.level.deleted', 'operation.distributor.deleteLevel'],
    needs: ['partner'],
    exclusive: true,
    run: async (probe: Probe) => {
      const names = await unused(probe)
      const [one, other] = [levelWith(['HL_TICKERS']), levelWith(['HL_FILLS'])]
      try {
        await putLevel(probe, OWN_LEVEL, one)
        await putLevel(probe, OTHER_LEVEL, other)
        const both = [await levelOf(probe, OWN_LEVEL), await levelOf(probe, OTHER_LEVEL)]
        probe.assert(isSameJson(both, [one, other]), 'each level equals its PUT', both)
        for (const [gone, left] of [
          [OTHER_LEVEL, [OWN_LEVEL]],
          [OWN_LEVEL, []],
        ] as const) {
          await deleteLevel(probe, gone)
          const now = [...(await levelNames(probe))].sort()
          probe.assert(isSameJson(now, [...names, ...left].sort()), `${gone} alone is gone`, now)
        }
      } finally {
        for (const name of [OWN_LEVEL, OTHER_LEVEL])
          if ((await levelNames(probe)).includes(name)) await deleteLevel(probe, name)
      }
    },
  },
  {
    id: 'distributor.levels.put-answer',
    title: 'PUT of a level is answered with success and message, without data',
    checks: ['operation.distributor.putLevel'],
    needs: ['partner'],
    exclusive: true,
    run: async (probe: Probe) => {
      await unused(probe)
      try {
        const body = bodyOf(probe, await putLevel(probe, OWN_LEVEL, levelWith([])))
        assertSame(probe, body.success, true, 'success is true')
        probe.assert(typeof body.message === 'string', 'message is text', body)
        probe.assert(!('data' in body), 'there is no data', body)
      } finally {
        await deleteLevel(probe, OWN_LEVEL)
      }
    },
  },
  {
    id: 'distributor.levels.refused',
    title: 'a refused PUT changes nothing',
    checks: [
      ...['distributor.rule.resourceType', 'error.resourceType', 'level.resourceType'],
      'level.actions',
    ],
    needs: ['partner'],
    exclusive: true,
    run: async (probe: Probe) => {
      await unused(probe)
      const right = levelWith(['HL_TICKERS'])
      try {
        await putLevel(probe, OWN_LEVEL, right)
        for (const [name, body] of Object.entries(wrongLevels())) {
          const answer = await putLevel(probe, OWN_LEVEL, body)
          const isOpen = !name.includes('resource_type')
          const isRight = isOpen ? !isSuccess(answer) : answer.status === 400
          probe.assert(isRight, `${name} is refused, HTTP 400`, answer)
          const found = await levelOf(probe, OWN_LEVEL)
          assertSame(probe, found, right, `after ${name} the level is as before`)
        }
      } finally {
        await deleteLevel(probe, OWN_LEVEL)
      }
    },
  },
  {
    id: 'distributor.levels.reserved',
    title: 'reserved actions can be named in a level',
    checks: ['action.reserved'],
    needs: ['partner'],
    exclusive: true,
    run: async (probe: Probe) => {
      await unused(probe)
      try {
        const level = levelWith(['HL_INFO_META', 'HL_INFO_USER_FILLS', 'HL_INFO_ORDER_STATUS'])
        assertSuccess(probe, await putLevel(probe, OWN_LEVEL, level), 'a PUT of them is accepted')
        assertSame(probe, await levelOf(probe, OWN_LEVEL), level, 'GET returns them')
      } finally {
        await deleteLevel(probe, OWN_LEVEL)
      }
    },
  },
  {
    id: 'distributor.levels.fields',
    title: 'every level has whole limits, and permissions of perpdex',
    checks: ['level.fields', 'level.resourceType', 'level.permissions'],
    needs: ['partner'],
    run: async (probe: Probe) => {
      for (const name of await levelNames(probe)) {
        const { request_limits: limits, permissions } = await levelOf(probe, name)
        assertObject(probe, limits, `request_limits of ${name} are an object`)
        for (const limit of ['max_time_range', 'max_request', 'request_rate_limit'])
          probe.assert(Number.isSafeInteger(limits[limit]), `${limit} of ${name} is whole`, limits)
        assertList(probe, permissions, `permissions of ${name} are a list`)
        for (const one of permissions) {
          const isGrant = isJsonObject(one) && one.resource_type === 'perpdex'
          probe.assert(isGrant && Array.isArray(one.actions), `${name} grants perpdex actions`, one)
        }
      }
    },
  },
]

const LIMITS = { max_time_range: 3600, max_request: 77, request_rate_limit: 5 }

/** Names of the levels; ours must be free. */
async function unused(probe: Probe): Promise<string[]> {
  const names = await levelNames(probe)
  const taken = [OWN_LEVEL, OTHER_LEVEL].find((name) => names.includes(name))
  if (taken !== undefined) probe.skip(`the level ${taken} is there already`)
  return names
}

function wrongLevels(): Record<string, unknown> {
  const right = levelWith(['HL_FILLS'])
  const grant = (resource_type: string) => ({
    ...right,
    permissions: [...right.permissions, { resource_type, actions: ['HL_FILLS'] }],
  })
  return {
    'the resource_type futures': grant('futures'),
    'the resource_type trading_pair': grant('trading_pair'),
    'the resource_type PERPDEX': grant('PERPDEX'),
    'no permissions at all': { request_limits: right.request_limits },
    'no limits at all': { permissions: right.permissions },
    'a limit as text': { ...right, request_limits: { ...right.request_limits, max_request: 'x' } },
    'a body that is no object': '[]',
    'a body that is no JSON': '{"request_limits":',
  }
}

/** Effects of distributor parameters, by operation and parameter. */
export const DISTRIBUTOR_EFFECTS: EffectTable = {
  'distributor.deleteLevel': { level: { caseId: 'distributor.levels.life' } },
  'distributor.level': { level: { effect: differs(someDistributorLevels) } },
  'distributor.putLevel': {
    level: { caseId: 'distributor.levels.life' },
    request_limits: { caseId: 'distributor.levels.life' },
    permissions: { caseId: 'distributor.levels.life' },
  },
  'distributor.register': { invite_token: { caseId: 'distributor.registration.once' } },
}

// Levels of the distributor, restored after each case.

/** Level names that no customer of the target uses. */
export const [OWN_LEVEL, OTHER_LEVEL] = ['conformance-check', 'conformance-check-2']

const pathOf = (name: string) => `/distributor/levels/${encodeURIComponent(name)}`

export const putLevel = (probe: Probe, name: string, body: unknown): Promise<ProbeExchange> =>
  probe.request({ method: 'PUT', path: pathOf(name), body, signedBy: 'partner' })

export const deleteLevel = (probe: Probe, name: string): Promise<ProbeExchange> =>
  probe.request({ method: 'DELETE', path: pathOf(name), signedBy: 'partner' })

const askLevel = (probe: Probe, name: string): Promise<ProbeExchange> =>
  probe.request({ path: pathOf(name), signedBy: 'partner' })

/** A level in GET. */
async function levelOf(probe: Probe, name: string): Promise<JsonObject> {
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

/** The body of a level with these permissions, and limits that never apply. */
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
  probe.skip('the level of the sub key is not among those that the distributor lists')
}

/** Runs a change of a level and always restores it. */
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

// Observations that change a level temporarily.

/** Observes while the level of the sub key may be changed. */
export async function withSubKeyLevel<const A extends string>(
  probe: Probe,
  observe: (put: (body: unknown) => Promise<void>) => Promise<A | null>,
): Promise<A | null> {
  let seen: A | null = null
  await changed(probe, await levelOfSub(probe), async (put) => {
    seen = await observe(put)
  })
  return seen
}

/** Observes with a level of our own. */
export async function withOwnLevel<T>(
  probe: Probe,
  limits: JsonObject,
  observe: () => Promise<T>,
): Promise<T> {
  if ((await levelNames(probe)).includes(OWN_LEVEL))
    probe.skip(`the level ${OWN_LEVEL} is there already`)
  const made = await putLevel(probe, OWN_LEVEL, levelWith(['HL_TICKERS'], limits))
  assertSuccess(probe, made, 'a level is made')
  return observe().finally(() => deleteLevel(probe, OWN_LEVEL))
}
